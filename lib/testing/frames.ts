/** Reading SSE frames back in tests. */

export function eventIdsOf(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => (line.startsWith("id: ") ? [line.slice(4)] : []));
}
