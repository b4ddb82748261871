/**
 * The parts of a view while events are folded into them. The array is copied once, at the first
 * write, however many events follow: folding a batch costs one copy, not one for each event.
 * Parts that no event touched keep their reference.
 */
import type { PartOf, ViewPart } from "#protocol/run-view";

export class PartsDraft {
  readonly #base: readonly ViewPart[];
  #own: ViewPart[] | null = null;

  constructor(base: readonly ViewPart[]) {
    this.#base = base;
  }

  get parts(): readonly ViewPart[] {
    return this.#own ?? this.#base;
  }

  add(part: ViewPart): void {
    this.#writable().push(part);
  }

  /** Replaces the newest part of that type that matches; false when there is none. Looks from the end, where live parts are. */
  update<T extends ViewPart["type"]>(type: T, matches: (part: PartOf<T>) => boolean, change: (part: PartOf<T>) => PartOf<T>): boolean {
    const parts = this.parts;
    for (let index = parts.length - 1; index >= 0; index -= 1) {
      const part = parts[index];
      if (part === undefined || !isPartOf(part, type) || !matches(part)) continue;
      const changed = change(part);
      if (changed !== part) this.#writable()[index] = changed;
      return true;
    }
    return false;
  }

  /** Offers each part to `change`; a part that comes back as it was stays untouched. */
  mapAll(change: (part: ViewPart) => ViewPart): void {
    this.parts.forEach((part, index) => {
      const changed = change(part);
      if (changed !== part) this.#writable()[index] = changed;
    });
  }

  #writable(): ViewPart[] {
    this.#own ??= [...this.#base];
    return this.#own;
  }
}

export function isPartOf<T extends ViewPart["type"]>(part: ViewPart, type: T): part is PartOf<T> {
  return part.type === type;
}
