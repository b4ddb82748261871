/**
 * Spellings that the grammar loses its way in, as others that mean the same: `` `…` `` as `$(…)` (two
 * side by side are misread), `$()` as nothing, a line that begins with `\rm` as one with `rm`. This
 * reads quotes and comments just well enough to find them; where it errs, the text as written is
 * judged as well.
 */
const FREE = /(?<=\n[ \t]*)\\(?=[\w./])|\\[\s\S]|\$?'(?:[^'])*'|`((?:\\[\s\S]|[^`\\])*)`|\$\(\s*\)|(?<![^\s;&|(])#[^\n]*|"|[^\\'`"$#]+|[\s\S]/y;
const QUOTED = /\\[\s\S]|`((?:\\[\s\S]|[^`\\])*)`|\$\(\s*\)|"|[^\\`"$]+|[\s\S]/y;
const MAX_DEPTH = 6;

export function rewriteMisread(text: string, depth = 0): string {
  if (depth > MAX_DEPTH || !/`|\$\(\s*\)|\n[ \t]*\\/.test(text)) return text;
  let isQuoted = false;
  let position = 0;
  let result = "";
  while (position < text.length) {
    const match = nextToken(text, position, isQuoted);
    const [token, command] = match;
    if (token === '"') isQuoted = !isQuoted;
    if (command !== undefined) result += `$(${rewriteMisread(unescape(command, isQuoted), depth + 1)})`;
    else if (!token.startsWith("$(") && token !== "\\") result += token;
    position += token.length;
  }
  return result;
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
