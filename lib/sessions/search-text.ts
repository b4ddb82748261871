/**
 * A person's words as an FTS5 query: each word becomes a quoted string, so that none of them can be an
 * operator or a column, all of them must occur, and the last may be the beginning of a word.
 */

const MOST_WORDS = 32;

/** Null when there is no word in it. */
export function searchQuery(text: string): string | null {
  const words = text.match(/[\p{L}\p{N}\p{M}_]+/gu)?.slice(0, MOST_WORDS) ?? [];
  const last = words.at(-1);
  if (last === undefined) return null;
  return [...words.slice(0, -1).map(quoted), `${quoted(last)}*`].join(" ");
}

/** Text as a LIKE pattern (with `ESCAPE '\\'`) that matches where it stands in something, whatever it holds. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
