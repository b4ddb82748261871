/**
 * What of a text that still streams is shown: all but the few characters at its end that may turn
 * into something else. A fence would flash as a lone backtick, a heading as hashes, a table as a line
 * of bars. They are held until the next character decides (B221); nothing is held once the text is done.
 */

/** Stands at the end of a live text; the renderer puts the caret in its place. A private-use character. */
export const CARET_MARK = "\uE0FF";

const UNDECIDED_LINE = /^[ \t>]*(?:[`~]{1,2}|#{1,6}|[-*+]|\d{1,9}[.)]|-{1,}|={1,}|\*{1,3}|_{1,3})[ \t]*$/;
const FENCE = /^[ \t>]*(`{3,}|~{3,})/;
const CLOSING_PART = /^[ \t>]*[`~]+[ \t]*$/;

/** The settled part of a live markdown text. */
export function holdBack(text: string): string {
  const lines = text.split("\n");
  const fence = openFence(lines.slice(0, -1));
  const last = lines.at(-1) ?? "";
  // A closing fence too, until its line is over: with the caret's mark behind it, it would close nothing.
  if (fence !== null) return CLOSING_PART.test(last) ? withoutLast(lines) : text;
  if (UNDECIDED_LINE.test(last)) return withoutLast(lines);
  if (/^\s*\|/.test(last)) return withoutTableHead(lines.slice(0, -1));
  return last === "" ? withoutTableHead(lines.slice(0, -1), "\n") : text;
}

function withoutLast(lines: readonly string[]): string {
  return lines.slice(0, -1).join("\n");
}

/** A table's first line is held until the line below it says that it is one: tables grow by rows. */
function withoutTableHead(lines: readonly string[], end = ""): string {
  const head = lines.at(-1) ?? "";
  const isHead = /^\s*\|.*\|\s*$/.test(head) && !/^\s*\|/.test(lines.at(-2) ?? "");
  return (isHead ? lines.slice(0, -1) : lines).join("\n") + (isHead ? "" : end);
}

/** The run of characters that opened the fence which is still open after these lines, or null. */
function openFence(lines: readonly string[]): string | null {
  let open: string | null = null;
  for (const line of lines) {
    const marks = FENCE.exec(line)?.[1];
    if (open === null) open = marks ?? null;
    else if (marks !== undefined && closes(line, open)) open = null;
  }
  return open;
}

function closes(line: string, open: string): boolean {
  const marks = line.trim().replace(/^[> \t]+/, "");
  return marks.length >= open.length && marks === (open[0] ?? "`").repeat(marks.length);
}
