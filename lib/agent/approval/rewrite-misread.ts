/**
 * Spellings that the grammar loses its way in, as others that mean the same: `` `…` `` as `$(…)` (two
 * side by side are misread), `$()` as nothing, a line that begins with `\rm` as one with `rm`, `! {`
 * and `time if` without what stands in front. This reads quotes and comments just well enough to find
 * them; where it errs, the text as written is judged as well.
 */
const BACKQUOTED = "`((?:\\\\[\\s\\S]|[^`\\\\])*)`";
const EMPTY = "\\$\\(\\s*\\)";
const FREE = new RegExp(
  [
    "(?<=\\n[ \\t]*)\\\\(?=[\\w./])",
    "\\\\[\\s\\S]",
    "\\$'(?:\\\\[\\s\\S]|[^'\\\\])*'",
    "'[^']*'",
    BACKQUOTED,
    EMPTY,
    "(?<![^\\s;&|(])#[^\\n]*",
    "[^\\\\'`\"$#]+",
    "[\\s\\S]",
  ].join("|"),
  "y",
);
const QUOTED = new RegExp(["\\\\[\\s\\S]", BACKQUOTED, EMPTY, "[^\\\\`\"$]+", "[\\s\\S]"].join("|"), "y");
const FRONT = /(?<![^\s;&|(])(?:!|time(?:[ \t]+-p)?)(?=\s+(?:\{|if|while|until|for|case|select|!|time)\s)/g;
const SUSPICIOUS = /`|\$\(\s*\)|\n[ \t]*\\|(?:!|time)\s+(?:-p\s+)?[{ifwucst!]/;
const MAX_DEPTH = 6;

export function rewriteMisread(text: string, depth = 0): string {
  if (depth > MAX_DEPTH || !SUSPICIOUS.test(text)) return text;
  let isQuoted = false;
  let position = 0;
  let result = "";
  while (position < text.length) {
    const [token, command] = nextToken(text, position, isQuoted);
    if (token === '"') isQuoted = !isQuoted;
    result += command === undefined ? rewriteToken(token, isQuoted) : `$(${rewriteMisread(unescape(command, isQuoted), depth + 1)})`;
    position += token.length;
  }
  return result;
}

function rewriteToken(token: string, isQuoted: boolean): string {
  if (/^\$\(\s*\)$/.test(token) || token === "\\") return "";
  return isQuoted || /^['#\\$]/.test(token) ? token : token.replace(FRONT, "");
}

function nextToken(text: string, position: number, isQuoted: boolean): readonly [string, string | undefined] {
  const pattern = new RegExp(isQuoted ? QUOTED : FREE);
  pattern.lastIndex = position;
  const match = pattern.exec(text);
  return match === null ? [text.slice(position), undefined] : [match[0], match[1]];
}

function unescape(command: string, isQuoted: boolean): string {
  return command.replace(isQuoted ? /\\([`$\\"])/g : /\\([`$\\])/g, "$1");
}
