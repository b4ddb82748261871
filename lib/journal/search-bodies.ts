/** What of a finished run is searched: the person's message and the answer, in rows of a size that makes good snippets. */
import type { RunView } from "#protocol/run-view";

const ROW_CHARACTERS = 32_768;
/** Above this an answer is data rather than words; indexing it would hold everybody else up. */
const MOST_CHARACTERS = 2_000_000;

export function searchBodies(view: RunView): readonly string[] {
  const answer = view.parts.filter((part) => part.type === "text").map((part) => part.text);
  return [view.message?.text ?? "", answer.join("\n\n")].flatMap(rowsOf);
}

function rowsOf(text: string): readonly string[] {
  // SQLite ends a text at NUL; half a surrogate pair is no text at all.
  const words = Buffer.from(text.slice(0, MOST_CHARACTERS)).toString().replaceAll("\0", " ");
  const rows: string[] = [];
  for (let start = 0; start < words.length; ) {
    const end = cutAt(words, start);
    const row = words.slice(start, end).trim();
    if (row !== "") rows.push(row);
    start = end;
  }
  return rows;
}

/** The end of a row: at white space where there is some in its last quarter. */
function cutAt(text: string, start: number): number {
  const end = start + ROW_CHARACTERS;
  if (end >= text.length) return text.length;
  const space = text.lastIndexOf(" ", end);
  if (space > start + ROW_CHARACTERS * 0.75) return space;
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end;
}
