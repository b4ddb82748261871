/**
 * Text as a command. It is one only when it begins with one plain slash and a word of letters: a path,
 * two slashes, a slash of another alphabet or a slash behind a blank is text, and is never executed.
 */
export type ParsedCommand =
  | { readonly kind: "command"; readonly word: string; readonly argument: string }
  | { readonly kind: "text" };

const COMMAND = /^\/([a-z][a-z-]{0,30})(?:\s+([\s\S]*))?$/i;
const QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["‘", "’"],
]);

export function parseCommand(text: string): ParsedCommand {
  const match = COMMAND.exec(text.trimEnd());
  const word = match?.[1];
  if (word === undefined) return { kind: "text" };
  return { kind: "command", word: word.toLowerCase(), argument: unquoted((match?.[2] ?? "").trim()) };
}

/** A pair of quotes around the whole is the person's way to keep blanks, not a part of the text. */
function unquoted(text: string): string {
  const closing = QUOTES.get(text.charAt(0));
  if (closing === undefined || text.length < 2 || !text.endsWith(closing)) return text;
  const inner = text.slice(1, -1);
  return inner.includes(text.charAt(0)) || inner.includes(closing) ? text : inner.trim();
}
