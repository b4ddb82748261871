/**
 * Keeps the promises of `ModelPort` for every port of this room: the stream never throws, ends in
 * exactly one `finish` or `failure`, nothing follows it, and it ends at once, as aborted, when the
 * signal aborts or the iterator is closed, whatever the producer is waiting for.
 */
import type { ModelPart } from "./model-port";
import { abortedFailure, providerFailure } from "./provider-failure";

export type ProduceParts = (signal: AbortSignal) => AsyncGenerator<ModelPart, void, undefined>;

/** The guarded stream; `produce` starts with the first `next` and gets a signal that covers both ways to stop. */
export function guardStream(signal: AbortSignal, produce: ProduceParts): AsyncIterable<ModelPart> {
  return { [Symbol.asyncIterator]: () => new GuardedParts(signal, produce) };
}

class GuardedParts implements AsyncIterator<ModelPart, undefined> {
  readonly #signal: AbortSignal;
  readonly #inner = new AbortController();
  readonly #parts: AsyncGenerator<ModelPart, void, undefined>;
  #over = false;
  /** Ends the `next` that waits now. */
  #interrupt: () => void = () => undefined;

  constructor(signal: AbortSignal, produce: ProduceParts) {
    this.#signal = signal;
    this.#parts = produce(this.#inner.signal);
    if (signal.aborted) this.#inner.abort();
    else signal.addEventListener("abort", this.#abort, { once: true });
  }

  next(): Promise<IteratorResult<ModelPart, undefined>> {
    if (this.#over) return Promise.resolve({ done: true, value: undefined });
    if (this.#signal.aborted) return Promise.resolve(this.#last(abortedFailure()));
    return new Promise((resolve) => {
      this.#interrupt = () => resolve(this.#last(abortedFailure()));
      this.#parts.next().then(
        (result) => resolve(this.#pass(result)),
        (error: unknown) => resolve(this.#last(failureOfThrow(error))),
      );
    });
  }

  async return(): Promise<IteratorResult<ModelPart, undefined>> {
    this.#close();
    return { done: true, value: undefined };
  }

  readonly #abort = (): void => {
    this.#inner.abort();
    this.#interrupt();
  };

  #pass(result: IteratorResult<ModelPart, void>): IteratorResult<ModelPart, undefined> {
    if (this.#over) return { done: true, value: undefined };
    this.#interrupt = () => undefined;
    if (result.done === true) return this.#last(providerFailure({ code: "provider_incomplete" }, []));
    const ends = result.value.type === "finish" || result.value.type === "failure";
    return ends ? this.#last(result.value) : { done: false, value: result.value };
  }

  #last(part: ModelPart): IteratorResult<ModelPart, undefined> {
    if (this.#over) return { done: true, value: undefined };
    this.#close();
    return { done: false, value: part };
  }

  #close(): void {
    this.#over = true;
    this.#interrupt = () => undefined;
    this.#signal.removeEventListener("abort", this.#abort);
    this.#inner.abort();
    // The producer may still wait for something that the abort ends; what it says then is of no use to anyone.
    this.#parts.return().catch(() => undefined);
  }
}

function failureOfThrow(error: unknown): ModelPart {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return providerFailure({ code: "provider_malformed", diagnostics: { reason } }, []);
}
