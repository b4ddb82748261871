/**
 * Tells open streams that the session list changed. However many streams listen, one loop waits for
 * commits and one read answers them all, at most four times a second; nobody listening, nothing runs.
 */
import { setTimeout as pause } from "node:timers/promises";

export interface ListVersions {
  listVersion(): Promise<number>;
  changed(signal: AbortSignal): Promise<void>;
}

const QUIET_MS = 250;

export class ListWatch {
  readonly #versions: ListVersions;
  readonly #onFailure: (error: unknown) => void;
  readonly #quietMs: number;
  readonly #listeners = new Set<() => void>();
  #version: number | null = null;
  #loop: AbortController | null = null;

  constructor(versions: ListVersions, onFailure: (error: unknown) => void, quietMs = QUIET_MS) {
    this.#versions = versions;
    this.#onFailure = onFailure;
    this.#quietMs = quietMs;
  }

  /** One piece each time the list changed since the piece before; ends when aborted. */
  async *changes(signal: AbortSignal): AsyncGenerator<number> {
    let seen = await this.#versions.listVersion();
    let wake: (() => void) | null = null;
    const listener = (): void => wake?.();
    this.#listeners.add(listener);
    signal.addEventListener("abort", listener, { once: true });
    this.#start();
    try {
      while (!signal.aborted) {
        const version = this.#version ?? seen;
        if (version > seen) {
          seen = version;
          yield version;
          continue;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = null;
      }
    } finally {
      signal.removeEventListener("abort", listener);
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    }
  }

  #start(): void {
    if (this.#loop !== null) return;
    this.#loop = new AbortController();
    void this.#watch(this.#loop.signal);
  }

  #stop(): void {
    this.#loop?.abort();
    this.#loop = null;
    this.#version = null;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const version = await this.#versions.listVersion();
        if (signal.aborted) return;
        if (version !== this.#version) {
          this.#version = version;
          for (const listener of this.#listeners) listener();
        }
        await this.#versions.changed(signal);
        await pause(this.#quietMs, undefined, { signal });
      } catch (error) {
        if (signal.aborted) return;
        this.#onFailure(error);
        await pause(this.#quietMs * 4);
      }
    }
  }
}
