/** The name that a typing error most likely meant: fewest edits, at most a third of the word; null when none is near. */
export function nearestName(word: string, names: readonly string[]): string | null {
  let nearest: { readonly name: string; readonly distance: number } | null = null;
  for (const name of names) {
    const distance = name.startsWith(word) && word.length > 1 ? 0.5 : editDistance(word, name);
    if (nearest === null || distance < nearest.distance) nearest = { name, distance };
  }
  const most = Math.max(1, Math.ceil(word.length / 3));
  return nearest !== null && nearest.distance <= most ? nearest.name : null;
}

/** Levenshtein distance; a swap of two neighbours counts as two. */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let line = 1; line <= one.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= other.length; column += 1) {
      const change = one.charAt(line - 1) === other.charAt(column - 1) ? 0 : 1;
      next.push(Math.min((row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, (row[column - 1] ?? 0) + change));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
