/**
 * Finds many literal texts in one pass (Aho-Corasick): each character moves from state to state, so
 * the time is linear whatever is searched, and a search goes on where the last piece ended. The
 * depth of a state is how many characters of some literal the text ends with.
 */
interface State {
  readonly next: Map<number, State>;
  readonly depth: number;
  fallback: State | null;
  /** Length of the longest literal that ends here, 0 for none. */
  longest: number;
}

export class LiteralAutomaton {
  readonly #root: State = { next: new Map(), depth: 0, fallback: null, longest: 0 };

  constructor(literals: readonly string[]) {
    for (const literal of literals) this.#insert(literal);
    this.#linkFallbacks();
  }

  /** A search that begins. */
  search(): LiteralSearch {
    return new LiteralSearch(this.#root);
  }

  #insert(literal: string): void {
    let state = this.#root;
    for (let index = 0; index < literal.length; index += 1) {
      const code = literal.charCodeAt(index);
      let next = state.next.get(code);
      if (next === undefined) {
        next = { next: new Map(), depth: state.depth + 1, fallback: null, longest: 0 };
        state.next.set(code, next);
      }
      state = next;
    }
    state.longest = literal.length;
  }

  #linkFallbacks(): void {
    const queue: State[] = [this.#root];
    for (let state = queue.shift(); state !== undefined; state = queue.shift()) {
      for (const [code, next] of state.next) {
        let fallback = state.fallback;
        while (fallback !== null && !fallback.next.has(code)) fallback = fallback.fallback;
        next.fallback = fallback?.next.get(code) ?? this.#root;
        next.longest = Math.max(next.longest, next.fallback.longest);
        queue.push(next);
      }
    }
  }
}

export class LiteralSearch {
  #state: State;

  constructor(root: State) {
    this.#state = root;
  }

  /** How many characters of some literal the text ends with. */
  get depth(): number {
    return this.#state.depth;
  }

  /** Length of the longest literal that ends with this character, 0 for none. */
  step(code: number): number {
    let state = this.#state;
    let next = state.next.get(code);
    while (next === undefined && state.fallback !== null) {
      state = state.fallback;
      next = state.next.get(code);
    }
    this.#state = next ?? state;
    return this.#state.longest;
  }
}
