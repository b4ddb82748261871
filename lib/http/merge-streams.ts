/**
 * Several sources as one, in order of arrival: each is asked for its next piece only when the one
 * before was taken, so the merge holds at most one piece of each. It ends with the source `endsWith`,
 * or else with the last of them; the others are told by the signal they were opened with.
 */
export function mergeStreams<T>(sources: readonly AsyncIterable<T>[], endsWith: number | null = null): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new Merge(sources, endsWith) };
}

interface Arrival<T> {
  readonly source: number;
  readonly value: T;
}
interface Waiting<T> {
  readonly resolve: (result: IteratorResult<T>) => void;
  readonly reject: (error: unknown) => void;
}

class Merge<T> implements AsyncIterator<T> {
  readonly #iterators: readonly AsyncIterator<T>[];
  readonly #endsWith: number | null;
  readonly #arrivals: Arrival<T>[] = [];
  #waiting: Waiting<T> | null = null;
  #failure: { readonly error: unknown } | null = null;
  #open: number;
  #begun = false;

  constructor(sources: readonly AsyncIterable<T>[], endsWith: number | null) {
    this.#iterators = sources.map((source) => source[Symbol.asyncIterator]());
    this.#endsWith = endsWith;
    this.#open = this.#iterators.length;
  }

  next(): Promise<IteratorResult<T>> {
    if (!this.#begun) {
      this.#begun = true;
      this.#iterators.forEach((_iterator, source) => this.#ask(source));
    }
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#serve();
    });
  }

  #ask(source: number): void {
    this.#iterators[source]?.next().then(
      (next) => {
        if (next.done === true) this.#open = source === this.#endsWith ? 0 : this.#open - 1;
        else this.#arrivals.push({ source, value: next.value });
        this.#serve();
      },
      (error: unknown) => {
        this.#failure = { error };
        this.#serve();
      },
    );
  }

  /** What arrived before an end or a failure is still handed out, save what is behind the deciding end. */
  #serve(): void {
    const waiting = this.#waiting;
    if (waiting === null) return;
    const arrival = this.#arrivals.shift();
    if (arrival !== undefined) {
      this.#waiting = null;
      this.#ask(arrival.source);
      waiting.resolve({ done: false, value: arrival.value });
    } else if (this.#failure !== null) {
      this.#waiting = null;
      waiting.reject(this.#failure.error);
    } else if (this.#open === 0) {
      this.#waiting = null;
      waiting.resolve({ done: true, value: undefined });
    }
  }
}
