/**
 * The journal's port: one durable log of everything that happened, in one commit order.
 *
 * J1 `seq` is 1…n per run (and per session log). J2 an event id is never reused. J3 nothing after
 * the terminal event; the database refuses it too. J5 a run's row is the fold of its events,
 * written in the same transaction. J7 nothing is published before it is durable.
 * H1 every write of run events is fenced: an owner that was declared lost cannot commit.
 *
 * Two ways in: `enqueue` (group commit of run events: one transaction per tick for all runs) and
 * `transact` (one transaction of its own, for moves that may lose a race: start, delete, rename).
 * One way out: positions. `position` is the commit order over all sessions; cursors are event ids
 * that the journal translates.
 */
import type { InStatement } from "@libsql/client";
import type { JournalEvent, RunEvent, SessionEventBody } from "#protocol/events";
import type { RunView } from "#protocol/run-view";

/** What a run's writer hands over at a tick: numbered, redacted events and the view after them. */
export interface RunAppend {
  readonly events: readonly RunEvent[];
  readonly view: RunView;
}

/** A run's writer as the committer sees it. `take` seals what is pending (joins deltas, numbers them). */
export interface AppendSource {
  take(): RunAppend | null;
}

/** Thrown by writes whose owner lost its lease; the owner stops its work when it sees it. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** A chunk of ready SSE frames (`id:`/`event:`/`data:` lines), its last position, and whether a terminal or final event is in it. */
export interface FrameChunk {
  readonly text: string;
  readonly from: number;
  readonly position: number;
  readonly count: number;
  readonly ended: boolean;
  /** The text as UTF-8, made once for all who write this chunk: never give its buffer away. */
  readonly bytes: Uint8Array;
}

export type ResolvedCursor =
  | { readonly kind: "at"; readonly position: number; /** The cursor stands exactly at the terminal event. */ readonly finished: boolean }
  | { readonly kind: "reset"; readonly reason: "malformed" | "foreign" | "past_end" };

export interface Journal {
  /**
   * Commits what `source` holds with the next tick; resolves when durable. A file that cannot be
   * written is tried again for a minute. Rejects with `LeaseLostError`, the `DatabaseError`, or the
   * driver's error when the database refused the events; after a `DatabaseError` what was taken is
   * kept, and goes first when the same source enqueues again.
   */
  enqueue(source: AppendSource): Promise<void>;
  /** Waits until everything enqueued so far is durable. */
  flushed(): Promise<void>;

  /** One transaction. Results in order; a constraint that fails rejects with the driver's error and changes nothing. Publishes after commit. */
  transact(statements: readonly InStatement[], options?: { readonly fenced?: boolean }): Promise<readonly TransactResult[]>;
  /**
   * Statements that append run events, its row and (where due) its snapshot inside a `transact`.
   * They mean something to `transact` only; one append per run in one transaction.
   */
  runStatements(append: RunAppend): readonly InStatement[];
  /** Statements that append one event to a session's own log, numbered by the database. */
  sessionLogStatements(sessionId: string, body: SessionEventBody): readonly InStatement[];
  /** Statements that append `session.deleted` and delete the session with everything of it; open streams still get that event. */
  deleteSessionStatements(sessionId: string): readonly InStatement[];

  /** The stored view of a run, gone on to its last committed event; null when unknown. */
  readView(runId: string): Promise<RunView | null>;
  /** Events of a run with seq > afterSeq, rising, at most `limit`. */
  readRunEvents(runId: string, afterSeq: number, limit: number): Promise<readonly RunEvent[]>;
  /** The session's own log, rising. */
  readSessionLog(sessionId: string): Promise<readonly JournalEvent[]>;

  resolveRunCursor(runId: string, cursor: string | null): Promise<ResolvedCursor | null>;
  resolveSessionCursor(sessionId: string, cursor: string | null): Promise<ResolvedCursor | null>;

  /**
   * Ready frames after a position: replay in large pieces, then live, without gap or overlap, until
   * the run (or the session) ended or the signal is aborted. Holds no buffer for a slow reader:
   * the next piece is read when it is asked for. Readers at the head share one read per commit.
   */
  tailRun(runId: string, position: number, signal: AbortSignal): AsyncIterable<FrameChunk>;
  tailSession(sessionId: string, position: number, signal: AbortSignal): AsyncIterable<FrameChunk>;

  /** Rises with every change of what the session list shows; see `changed`. */
  listVersion(): Promise<number>;
  /** Resolves at the next commit by anybody (this process at once, others by doorbell or poll), or when aborted. */
  changed(signal: AbortSignal): Promise<void>;
  /** The doorbell: another process committed. */
  ring(): void;
  /** While a doorbell is connected the file is looked at once a second, else every 15 ms (and never while nobody waits). */
  setDoorbell(connected: boolean): void;
  close(): Promise<void>;
}

export interface TransactResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly changes: number;
}
