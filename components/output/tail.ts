export interface Tail {
  readonly text: string;
  /** Lines before it that are not in `text`. */
  readonly hidden: number;
}

/** The last `count` lines of a text; a last line break ends a line and begins none. */
export function tailOf(text: string, count: number): Tail {
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  let start = end;
  for (let found = 0; found < count; found += 1) {
    const at = start <= 0 ? -1 : text.lastIndexOf("\n", start - 1);
    if (at < 0) return { text, hidden: 0 };
    start = at;
  }
  return { text: text.slice(start + 1), hidden: countLines(text, start) };
}

function countLines(text: string, until: number): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < until; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
