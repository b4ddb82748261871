/**
 * Group commit: one transaction per tick for all runs.
 *
 * The first append after a quiet moment is committed at once. Appends that come while commits follow
 * each other wait until twice the time of the last commit has passed, 25 ms at most, so that commits
 * take a third of the process and not all of it; when many runs wait there is nothing to gain by
 * waiting. What a source holds is taken at the last moment, inside the write queue.
 *
 * A failure of the file (full, locked) is tried again for a minute; what was taken stays here, in
 * order, also when the wait was given up: the source enqueues again and nothing is missing. A refused
 * transaction is split by source, so that one run that is gone does not take the others along.
 */
import { databaseFailureOf } from "#db/database-error";
import { asLeaseLost } from "./fence";
import { LeaseLostError, type AppendSource, type RunAppend } from "./journal";

export interface CommitterPort {
  /** Commits these appends, one per run, in one fenced transaction; nothing of it on failure. */
  commit(appends: readonly RunAppend[]): Promise<void>;
  /** Runs when no other write of the journal does. */
  exclusive<T>(action: () => Promise<T>): Promise<T>;
}

export interface CommitterTiming {
  readonly longestWaitMs: number;
  readonly retryForMs: number;
  readonly retryEveryMs: number;
}
export const COMMITTER_TIMING: CommitterTiming = { longestWaitMs: 25, retryForMs: 60_000, retryEveryMs: 250 };

/** With so many sources a transaction is worth its sync to disk, however soon it follows the last. */
const MANY_SOURCES = 16;
const SHARE_OF_LAST_COMMIT = 2;

interface Entry {
  readonly source: AppendSource;
  taken: RunAppend | null;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class Committer {
  readonly #port: CommitterPort;
  readonly #timing: CommitterTiming;
  #waiting = new Map<AppendSource, Entry>();
  readonly #kept = new WeakMap<AppendSource, RunAppend>();
  #timer: NodeJS.Timeout | null = null;
  #scheduled = false;
  #ticking: Promise<void> | null = null;
  #lastEnd = 0;
  #lastDuration = 0;
  #failingSince: number | null = null;
  #closed = false;

  constructor(port: CommitterPort, timing: CommitterTiming = COMMITTER_TIMING) {
    this.#port = port;
    this.#timing = timing;
  }

  enqueue(source: AppendSource): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("The journal is closed."));
    const known = this.#waiting.get(source);
    if (known !== undefined) return known.done;
    const entry = createEntry(source, this.#kept.get(source) ?? null);
    this.#kept.delete(source);
    this.#waiting.set(source, entry);
    this.#schedule();
    return entry.done;
  }

  async flushed(): Promise<void> {
    while (this.#ticking !== null || this.#waiting.size > 0) {
      const waiting = [...this.#waiting.values()].map((entry) => entry.done);
      await Promise.allSettled([...waiting, this.#ticking]);
    }
  }

  /** Commits what waits, without further tries, and takes nothing more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#failingSince = Number.NEGATIVE_INFINITY;
    await this.flushed();
    this.#cancelTimer();
  }

  #schedule(): void {
    if (this.#ticking !== null) return;
    if (this.#scheduled && (this.#timer === null || this.#waiting.size < MANY_SOURCES || this.#failingSince !== null)) return;
    this.#cancelTimer();
    this.#scheduled = true;
    const wait = this.#pauseBefore();
    if (wait <= 0) setImmediate(() => this.#start());
    else this.#timer = setTimeout(() => this.#start(), wait);
  }

  #pauseBefore(): number {
    if (this.#closed) return 0;
    if (this.#failingSince !== null) return this.#timing.retryEveryMs;
    if (this.#waiting.size >= MANY_SOURCES) return 0;
    const pause = Math.min(this.#lastDuration * SHARE_OF_LAST_COMMIT, this.#timing.longestWaitMs);
    return this.#lastEnd + pause - performance.now();
  }

  #cancelTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #start(): void {
    this.#timer = null;
    this.#scheduled = false;
    if (this.#ticking !== null) return;
    this.#ticking = this.#port.exclusive(() => this.#tick()).finally(() => {
      this.#ticking = null;
      if (this.#waiting.size > 0) this.#schedule();
    });
  }

  async #tick(): Promise<void> {
    const entries = [...this.#waiting.values()];
    this.#waiting = new Map();
    const ready = entries.filter(takeInto);
    if (ready.length === 0) return;
    const begun = performance.now();
    try {
      await this.#commit(ready);
      this.#failingSince = null;
    } catch (error) {
      this.#failed(ready, error);
    }
    this.#lastEnd = performance.now();
    this.#lastDuration = this.#lastEnd - begun;
  }

  async #commit(entries: readonly Entry[]): Promise<void> {
    try {
      await this.#port.commit(entries.flatMap((entry) => entry.taken ?? []));
      for (const entry of entries) entry.resolve();
    } catch (error) {
      if (isTransient(error) || asLeaseLost(error) instanceof LeaseLostError || entries.length === 1) throw error;
      for (const entry of entries) {
        try {
          await this.#commit([entry]);
        } catch (cause) {
          this.#failed([entry], cause);
        }
      }
    }
  }

  #failed(entries: readonly Entry[], error: unknown): void {
    const transient = isTransient(error);
    this.#failingSince = transient ? (this.#failingSince ?? performance.now()) : null;
    const goOn = this.#failingSince !== null && performance.now() - this.#failingSince < this.#timing.retryForMs;
    for (const entry of entries) {
      const newer = this.#waiting.get(entry.source);
      if (goOn) {
        // Whoever enqueued meanwhile waits for the same commit: it takes what is new as well.
        this.#waiting.set(entry.source, entry);
        if (newer !== undefined) entry.done.then(newer.resolve, newer.reject);
        continue;
      }
      if (transient && entry.taken !== null) this.#kept.set(entry.source, entry.taken);
      entry.reject(asLeaseLost(error));
    }
    if (!goOn) this.#failingSince = null;
  }
}

/** Adds what the source holds to what was taken before; false when there is nothing to commit. */
function takeInto(entry: Entry): boolean {
  try {
    entry.taken = joined(entry.taken, entry.source.take());
  } catch (error) {
    entry.reject(error);
    return false;
  }
  if (entry.taken !== null) return true;
  entry.resolve();
  return false;
}

function joined(before: RunAppend | null, after: RunAppend | null): RunAppend | null {
  if (before === null || after === null) return before ?? after;
  return { events: [...before.events, ...after.events], view: after.view };
}

function createEntry(source: AppendSource, taken: RunAppend | null): Entry {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const done = new Promise<void>((accept, refuse) => {
    resolve = accept;
    reject = refuse;
  });
  return { source, taken, done, resolve, reject };
}

function isTransient(error: unknown): boolean {
  return databaseFailureOf(error) !== null;
}

