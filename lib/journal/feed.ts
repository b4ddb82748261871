/**
 * One log (a run's or a session's) for all who read it now.
 *
 * Readers that ask for the same place get the same piece: those at the head share one read and one
 * text per commit. Those behind read for themselves, at their own pace; what is kept here is what was
 * read last, up to a bound, never something per reader: a hundred readers that fall behind together
 * read once, not a hundred times. The log only grows, so a piece that starts at a place stays right
 * for ever; that there was nothing is right until the next change.
 */
import type { Change } from "./change-signal";
import type { FramePiece } from "./read-frames";

/** Kept for readers that are about to ask for them; for a single one only what somebody who comes now would ask for. */
const KEPT_CHARACTERS = 2_000_000;
const KEPT_PIECES = 256;
const KEPT_PIECES_FOR_ONE = 4;

interface Kept {
  readonly version: number;
  readonly piece: Promise<FramePiece>;
  empty: boolean;
  characters: number;
}

/** A piece, and what the feed knew of the log when it was read: nothing after it was there until that version. */
export interface FeedPiece extends FramePiece {
  readonly version: number;
}

export class Feed {
  readonly #read: (after: number) => Promise<FramePiece>;
  readonly #concerns: (change: Change) => boolean;
  readonly #kept = new Map<number, Kept>();
  readonly #waiters = new Set<() => void>();
  #version = 0;
  #observers = 0;
  /** Of all kept pieces. */
  #characters = 0;

  constructor(read: (after: number) => Promise<FramePiece>, concerns: (change: Change) => boolean) {
    this.#read = read;
    this.#concerns = concerns;
  }

  /** An observer more; the returned function tells that it left, and answers how many are left. */
  enter(): () => number {
    this.#observers += 1;
    return () => (this.#observers -= 1);
  }

  changed(change: Change | null): void {
    if (change !== null && !this.#concerns(change)) return;
    this.#version += 1;
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of waiters) wake();
  }

  /** The piece after a place; shared with everybody who asks for that place. */
  async pieceAfter(after: number): Promise<FeedPiece> {
    const known = this.#kept.get(after);
    if (known !== undefined && (!known.empty || known.version === this.#version)) return { ...(await known.piece), version: known.version };
    const kept: Kept = { version: this.#version, piece: this.#read(after), empty: true, characters: 0 };
    this.#forget(after);
    this.#kept.set(after, kept);
    try {
      const piece = await kept.piece;
      kept.empty = piece.chunk === null;
      if (this.#kept.get(after) === kept) this.#count(kept, piece.chunk?.text.length ?? 0);
      return { ...piece, version: kept.version };
    } catch (error) {
      if (this.#kept.get(after) === kept) this.#forget(after);
      throw error;
    }
  }

  /** Resolves when something changed after `version`, or when aborted. */
  changedAfter(version: number, signal: AbortSignal): Promise<void> {
    if (version !== this.#version || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = (): void => {
        this.#waiters.delete(finish);
        signal.removeEventListener("abort", finish);
        resolve();
      };
      this.#waiters.add(finish);
      signal.addEventListener("abort", finish, { once: true });
    });
  }

  #count(kept: Kept, characters: number): void {
    kept.characters = characters;
    this.#characters += characters;
    const pieces = this.#observers > 1 ? KEPT_PIECES : KEPT_PIECES_FOR_ONE;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= 1 || (this.#characters <= KEPT_CHARACTERS && this.#kept.size <= pieces)) return;
      this.#forget(oldest);
    }
  }

  #forget(after: number): void {
    this.#characters -= this.#kept.get(after)?.characters ?? 0;
    this.#kept.delete(after);
  }
}
