/**
 * Who wants to know that something was committed, and how it is learnt.
 *
 * A commit of this process tells at once, and says of which runs and sessions it was. A commit of
 * another process is told by a doorbell (`ring`), or seen by polling `PRAGMA data_version`, which
 * changes with the commits of other connections only. Polled every 15 ms while somebody listens;
 * with the doorbell connected once a second, since a bell that is not heard must not hang a reader.
 */
export interface Change {
  readonly runs: ReadonlySet<string>;
  readonly sessions: ReadonlySet<string>;
}

/** `null`: something changed, nobody says what. */
export type ChangeListener = (change: Change | null) => void;

export interface ChangeSignalTiming {
  readonly pollMs: number;
  readonly calmPollMs: number;
}
export const CHANGE_SIGNAL_TIMING: ChangeSignalTiming = { pollMs: 15, calmPollMs: 1000 };

export class ChangeSignal {
  readonly #readVersion: () => Promise<number>;
  readonly #timing: ChangeSignalTiming;
  readonly #listeners = new Set<ChangeListener>();
  #doorbell = false;
  #timer: NodeJS.Timeout | null = null;
  #polling = false;
  #version: number | null = null;
  #closed = false;

  constructor(readVersion: () => Promise<number>, timing: ChangeSignalTiming = CHANGE_SIGNAL_TIMING) {
    this.#readVersion = readVersion;
    this.#timing = timing;
  }

  /** Calls back for every change from now on, until the returned function is called. */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    this.#schedule();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  /** Resolves at the next change, or when aborted or closed. */
  changed(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = (): void => {
        unsubscribe();
        signal.removeEventListener("abort", finish);
        resolve();
      };
      const unsubscribe = this.subscribe(finish);
      signal.addEventListener("abort", finish, { once: true });
    });
  }

  notify(change: Change | null): void {
    for (const listener of this.#listeners) listener(change);
  }

  ring(): void {
    this.notify(null);
  }

  setDoorbell(connected: boolean): void {
    if (this.#doorbell === connected) return;
    this.#doorbell = connected;
    // What was committed while nobody rang is found by looking once.
    this.notify(null);
    this.#cancelTimer();
    this.#schedule();
  }

  close(): void {
    this.#closed = true;
    this.notify(null);
    this.#stop();
  }

  #schedule(): void {
    if (this.#closed || this.#polling || this.#timer !== null || this.#listeners.size === 0) return;
    this.#timer = setTimeout(() => void this.#poll(), this.#doorbell ? this.#timing.calmPollMs : this.#timing.pollMs);
    this.#timer.unref();
  }

  #stop(): void {
    this.#cancelTimer();
    this.#version = null;
  }

  #cancelTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #poll(): Promise<void> {
    this.#timer = null;
    this.#polling = true;
    const version = await this.#versionOrNull();
    this.#polling = false;
    // The first look has nothing to compare with: listeners look for themselves once.
    const changed = version === null || version !== this.#version;
    this.#version = version;
    if (changed) this.notify(null);
    this.#schedule();
  }

  /** Null when it cannot be read: then every poll tells the listeners, and their own reads say what is wrong. */
  async #versionOrNull(): Promise<number | null> {
    try {
      return await this.#readVersion();
    } catch {
      return null;
    }
  }
}
