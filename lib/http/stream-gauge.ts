/**
 * Open event streams: counted, capped, and all closed at once when the process ends. A stream takes a
 * place before its answer begins and gives it back exactly once, however it ends.
 */
import { AppError } from "#protocol/errors";

export const MOST_STREAMS = 256;
const RETRY_AFTER_S = 5;

export interface StreamPlace {
  /** Aborted when the process closes its streams. */
  readonly signal: AbortSignal;
  readonly release: () => void;
}

export class StreamGauge {
  readonly #open = new Set<AbortController>();
  readonly #most: number;
  #closed = false;

  constructor(most = MOST_STREAMS) {
    this.#most = most;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Throws `too_many_streams`, also once the process is ending. */
  enter(): StreamPlace {
    if (this.#closed || this.#open.size >= this.#most) {
      throw new AppError("too_many_streams", "Too many event streams are open.", { retry_after_s: RETRY_AFTER_S });
    }
    const controller = new AbortController();
    this.#open.add(controller);
    return {
      signal: controller.signal,
      release: () => {
        this.#open.delete(controller);
      },
    };
  }

  closeAll(): void {
    this.#closed = true;
    for (const controller of this.#open) controller.abort();
  }
}
