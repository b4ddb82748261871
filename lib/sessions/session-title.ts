/** Titles that people give: one line of plain text, at most 200 characters. */
const LONGEST = 200;
const CONTROL = /\p{Cc}+/gu;

/** Null when nothing is left of it. */
export function cleanTitle(text: string): string | null {
  const line = text.replace(CONTROL, " ").replace(/\s+/gu, " ").trim();
  if (line === "") return null;
  return [...line].slice(0, LONGEST).join("").trim();
}
