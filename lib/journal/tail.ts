/**
 * Replay, then live, as one loop: read after the place, hand it out, read again; with nothing there,
 * wait for a change and read again. There is no second source that would have to be joined to the
 * first, so nothing can be missed or doubled between them. J7 what is read is committed.
 * Feeds are made with their first observer and vanish with their last.
 */
import { setImmediate as turn } from "node:timers/promises";
import type { Database } from "#db/database";
import type { ChangeSignal } from "./change-signal";
import { Feed } from "./feed";
import type { FrameChunk } from "./journal";
import { createChunk, readFrames, RUN_LOG, SESSION_LOG } from "./read-frames";

export class Tails {
  readonly #database: Database;
  readonly #signal: ChangeSignal;
  readonly #feeds = new Map<string, Feed>();
  #unsubscribe: (() => void) | null = null;

  constructor(database: Database, signal: ChangeSignal) {
    this.#database = database;
    this.#signal = signal;
  }

  /** How many logs are observed now. */
  get size(): number {
    return this.#feeds.size;
  }

  async *run(runId: string, position: number, signal: AbortSignal): AsyncGenerator<FrameChunk> {
    const from = position === 0 ? 0 : await this.#seqAt(runId, position);
    const feed = (): Feed => new Feed((after) => readFrames(this.#database, RUN_LOG, runId, after), (change) => change.runs.has(runId));
    yield* this.#follow(runId, feed, from, signal);
  }

  async *session(sessionId: string, position: number, signal: AbortSignal): AsyncGenerator<FrameChunk> {
    const feed = (): Feed =>
      new Feed((after) => readFrames(this.#database, SESSION_LOG, sessionId, after), (change) => change.sessions.has(sessionId));
    let place = position;
    for await (const chunk of this.#follow(sessionId, feed, position, signal)) {
      place = chunk.position;
      yield chunk;
    }
    if (signal.aborted) return;
    const last = await this.#deletion(sessionId, place);
    if (last !== null) yield last;
  }

  async *#follow(id: string, create: () => Feed, from: number, signal: AbortSignal): AsyncGenerator<FrameChunk> {
    const feed = this.#feedOf(id, create);
    const leave = feed.enter();
    let place = from;
    try {
      while (!signal.aborted) {
        const piece = await feed.pieceAfter(place);
        if (signal.aborted) return;
        if (piece.chunk !== null) {
          place = piece.next;
          yield piece.chunk;
          if (piece.chunk.ended) return;
        } else if (piece.state !== "open") {
          return;
        }
        // Reading never leaves the event loop by itself: a long replay lets everybody else go on.
        if (piece.more) await turn();
        else await feed.changedAfter(piece.version, signal);
      }
    } finally {
      if (leave() === 0) this.#drop(id);
    }
  }

  #feedOf(id: string, create: () => Feed): Feed {
    const known = this.#feeds.get(id);
    if (known !== undefined) return known;
    const feed = create();
    this.#feeds.set(id, feed);
    this.#unsubscribe ??= this.#signal.subscribe((change) => {
      for (const each of this.#feeds.values()) each.changed(change);
    });
    return feed;
  }

  #drop(id: string): void {
    this.#feeds.delete(id);
    if (this.#feeds.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = null;
  }

  /** The run's last seq at or before a position. */
  async #seqAt(runId: string, position: number): Promise<number> {
    const exact = { sql: "SELECT seq FROM events WHERE position = ? AND run_id = ?", args: [position, runId] };
    const before = { sql: "SELECT max(seq) FROM events WHERE run_id = ? AND position <= ?", args: [runId, position] };
    const found = (await this.#database.execute(exact)).rows[0] ?? (await this.#database.execute(before)).rows[0];
    return Number(found?.[0] ?? 0);
  }

  /** What a stream that was open says last: the session's rows are gone, its end is remembered for a day. */
  async #deletion(sessionId: string, place: number): Promise<FrameChunk | null> {
    const found = await this.#database.execute({
      sql: `SELECT 'id: ' || (envelope ->> '$.event_id') || char(10) || 'event: session.deleted' || char(10) || 'data: ' || envelope || char(10, 10) AS text
            FROM tombstones WHERE session_id = ?`,
      args: [sessionId],
    });
    const text = found.rows[0]?.[0];
    return typeof text === "string" ? createChunk(text, place, place, 1, true) : null;
  }
}
