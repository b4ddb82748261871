/**
 * Which tab leads, decided by one Web Lock: whoever holds it. A tab waits in line for it; one that
 * finds its leader mute takes it by force, and the old leader learns that when its hold is rejected.
 */
import type { LockPort } from "./browser";

export interface LeadershipOptions {
  readonly locks: LockPort;
  readonly name: string;
  readonly onLead: () => void;
  /** Not leading any more: stolen, or let go by `leave`. */
  readonly onLost: () => void;
  /** The browser has locks but gives none (an opaque origin); called instead of `onLead`, and nothing is tried again. */
  readonly onRefused: () => void;
}

export class Leadership {
  readonly #options: LeadershipOptions;
  #waiting: AbortController | null = null;
  #release: (() => void) | null = null;

  constructor(options: LeadershipOptions) {
    this.#options = options;
  }

  get leads(): boolean {
    return this.#release !== null;
  }

  /** Waits in line; `onLead` is called when this tab's turn comes. */
  join(): void {
    if (this.leads || this.#waiting !== null) return;
    const waiting = new AbortController();
    this.#waiting = waiting;
    this.#hold({ signal: waiting.signal }, waiting);
  }

  /** Takes the lead from a leader that does not answer. */
  take(): void {
    if (this.leads) return;
    this.#waiting?.abort();
    const waiting = new AbortController();
    this.#waiting = waiting;
    this.#hold({ steal: true }, waiting);
  }

  /** Leads no more and waits no more, until `join`. */
  leave(): void {
    this.#waiting?.abort();
    this.#waiting = null;
    this.#release?.();
  }

  #hold(options: { readonly steal?: boolean; readonly signal?: AbortSignal }, waiting: AbortController): void {
    let wasHeld = false;
    const held = () =>
      new Promise<void>((resolve) => {
        if (waiting.signal.aborted) return resolve();
        wasHeld = true;
        this.#waiting = null;
        this.#release = () => {
          resolve();
          this.#lose();
        };
        this.#options.onLead();
      });
    const request = this.#options.locks.request(this.#options.name, options, held);
    // Rejected: given up while waiting, stolen by another tab (then this one stands in line again), or not given at all.
    request.catch(() => {
      if (waiting.signal.aborted) return;
      if (!wasHeld) return this.#options.onRefused();
      this.#lose();
      this.join();
    });
  }

  #lose(): void {
    if (this.#release === null) return;
    this.#release = null;
    this.#options.onLost();
  }
}
