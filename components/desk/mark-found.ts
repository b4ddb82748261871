/**
 * Washes the found words on the page without touching its elements (CSS Custom Highlights). Where the
 * browser has none, the row that was found is still brought into view.
 */
const ALL = "found";
const NOW = "found-now";
const MOST_RANGES = 2_000;

/** `row`: the match that the reader is at. An empty text takes every mark away. */
export function markFound(root: HTMLElement | null, words: string, row: string | null): void {
  if (typeof CSS === "undefined" || !("highlights" in CSS)) return;
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(NOW);
  const wanted = words.trim().toLowerCase();
  if (root === null || wanted === "") return;
  const ranges = rangesOf(root, wanted);
  const current = row === null ? null : root.querySelector(`[data-row="${CSS.escape(row)}"]`);
  const here = ranges.filter((range) => current?.contains(range.startContainer) === true);
  CSS.highlights.set(ALL, new Highlight(...ranges.filter((range) => !here.includes(range))));
  CSS.highlights.set(NOW, new Highlight(...here));
}

function rangesOf(root: HTMLElement, wanted: string): readonly Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < MOST_RANGES; node = walker.nextNode()) {
    const text = (node.textContent ?? "").toLowerCase();
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      ranges.push(range);
    }
  }
  return ranges;
}
