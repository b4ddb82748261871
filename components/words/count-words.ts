/** Counts with units. An unknown count has no words: callers leave it out, nothing is shown as 0. */

/** Tokens in few letters: 840, 2.4k, 31.2k, 128k, 1.2M. */
export function tokenWords(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 999_500) return `${shortened(tokens / 1000)}k`;
  return `${shortened(tokens / 1_000_000)}M`;
}

function shortened(value: number): string {
  return value >= 99.95 ? String(Math.round(value)) : String(Number(value.toFixed(1)));
}

/** 1204 as "1,204": a comma in all locales, as the rest of the page is English. */
export function groupedWords(count: number): string {
  return count.toLocaleString("en-US");
}

/** "1 line", "12 lines". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${groupedWords(count)} ${count === 1 ? one : many}`;
}

/** 84 KB, 1.2 MB; bytes below one kilobyte. */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return countOf(bytes, "byte");
  const units = ["KB", "MB", "GB", "TB"] as const;
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = value < 9.95 && unit > 0 ? 1 : 0;
  return `${Number(value.toFixed(digits))} ${units[unit] ?? "TB"}`;
}

/** $0.06, $12.40; below a cent it says so. */
export function costWords(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return "under $0.01";
  return `$${dollars.toFixed(2)}`;
}

const SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"] as const;

/** Small counts as words, as they stand in a sentence: "after two others". */
export function spelled(count: number): string {
  return SMALL[count] ?? groupedWords(count);
}
