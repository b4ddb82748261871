/**
 * The journal on libSQL. Every write of the journal passes one queue, so that the order of commits is
 * the order in which they were asked for; whatever is published is published after its commit (J7).
 */
import type { InStatement } from "@libsql/client";
import type { StatementResult } from "#db/connection";
import type { Database } from "#db/database";
import { parseEvent, type JournalEvent, type RunEvent, type SessionEventBody, isKnownEvent } from "#protocol/events";
import { AppError } from "#protocol/errors";
import type { RunView } from "#protocol/run-view";
import { planAppends, type AppendPlan, type KnownRun } from "./append-plan";
import { ChangeSignal } from "./change-signal";
import { Committer, COMMITTER_TIMING, type CommitterTiming } from "./committer";
import { resolveRunCursor, resolveSessionCursor } from "./cursors";
import { Exclusive } from "./exclusive";
import { asLeaseLost, fenceStatement } from "./fence";
import { LeaseLostError, type AppendSource, type FrameChunk, type Journal, type ResolvedCursor, type RunAppend, type TransactResult } from "./journal";
import { viewsFrom, viewStatements } from "./read-views";
import { deleteSessionStatements, sessionLogStatements } from "./session-log";
import { Tails } from "./tail";

export interface JournalSettings {
  readonly database: Database;
  /** The owner's epoch (`acquireOwner`); null in a process that owns no runs: it appends none. */
  readonly epoch: number | null;
  /** Whether the owner still holds its lease (`OwnerLease.holds`); without it the database alone says so. */
  readonly holds?: () => boolean;
  /** Unix seconds. */
  readonly now: () => number;
  readonly timing?: CommitterTiming;
}

export function createJournal(settings: JournalSettings): Journal {
  return new LibsqlJournal(settings);
}

/** Stands in a transaction for what an append needs; only `transact` knows what that is, at its moment. */
const RUN_APPEND = "RUN APPEND is for Journal.transact";

class LibsqlJournal implements Journal {
  readonly #database: Database;
  readonly #epoch: number | null;
  readonly #holds: () => boolean;
  readonly #now: () => number;
  readonly #writes = new Exclusive();
  readonly #known = new Map<string, KnownRun>();
  readonly #appends = new WeakMap<object, RunAppend>();
  readonly #signal: ChangeSignal;
  readonly #committer: Committer;
  readonly #tails: Tails;

  constructor({ database, epoch, holds, now, timing }: JournalSettings) {
    this.#database = database;
    this.#epoch = epoch;
    this.#holds = holds ?? (() => true);
    this.#now = now;
    this.#signal = new ChangeSignal(() => this.#dataVersion());
    this.#tails = new Tails(database, this.#signal);
    this.#committer = new Committer(
      { commit: (appends) => this.#commit(appends), exclusive: (action) => this.#writes.run(action) },
      timing ?? COMMITTER_TIMING,
    );
  }

  enqueue(source: AppendSource): Promise<void> {
    return this.#committer.enqueue(source);
  }

  flushed(): Promise<void> {
    return this.#committer.flushed();
  }

  transact(statements: readonly InStatement[], options: { readonly fenced?: boolean } = {}): Promise<readonly TransactResult[]> {
    return this.#writes.run(async () => {
      const fence = options.fenced === true ? [this.#fence()] : [];
      const parts = statements.map((statement) => this.#expand(statement));
      const results = await this.#write([...fence, ...parts.flatMap((part) => part.statements)]);
      for (const part of parts) part.accept();
      this.#signal.notify(null);
      return collapse(parts, results.slice(fence.length));
    });
  }

  runStatements(append: RunAppend): readonly InStatement[] {
    const statement: InStatement = { sql: RUN_APPEND, args: [] };
    this.#appends.set(statement, append);
    return [statement];
  }

  sessionLogStatements(sessionId: string, body: SessionEventBody): readonly InStatement[] {
    return sessionLogStatements(sessionId, body, this.#now());
  }

  deleteSessionStatements(sessionId: string): readonly InStatement[] {
    return deleteSessionStatements(sessionId, this.#now());
  }

  async readView(runId: string): Promise<RunView | null> {
    const results = await this.#database.read(viewStatements("SELECT ? AS run_id", [runId]));
    return viewsFrom(results).get(runId) ?? null;
  }

  async readRunEvents(runId: string, afterSeq: number, limit: number): Promise<readonly RunEvent[]> {
    const sql = "SELECT envelope FROM events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?";
    return (await this.#readEvents(sql, [runId, afterSeq, limit])).filter((event) => event.run_id !== null);
  }

  readSessionLog(sessionId: string): Promise<readonly JournalEvent[]> {
    return this.#readEvents("SELECT envelope FROM events WHERE session_id = ? AND run_id IS NULL ORDER BY seq", [sessionId]);
  }

  resolveRunCursor(runId: string, cursor: string | null): Promise<ResolvedCursor | null> {
    return resolveRunCursor(this.#database, runId, cursor);
  }

  resolveSessionCursor(sessionId: string, cursor: string | null): Promise<ResolvedCursor | null> {
    return resolveSessionCursor(this.#database, sessionId, cursor);
  }

  tailRun(runId: string, position: number, signal: AbortSignal): AsyncIterable<FrameChunk> {
    return this.#tails.run(runId, position, signal);
  }

  tailSession(sessionId: string, position: number, signal: AbortSignal): AsyncIterable<FrameChunk> {
    return this.#tails.session(sessionId, position, signal);
  }

  async listVersion(): Promise<number> {
    const found = await this.#database.execute("SELECT value FROM meta WHERE key = 'list_version'");
    return Number(found.rows[0]?.[0]);
  }

  changed(signal: AbortSignal): Promise<void> {
    return this.#signal.changed(signal);
  }

  ring(): void {
    this.#signal.ring();
  }

  setDoorbell(connected: boolean): void {
    this.#signal.setDoorbell(connected);
  }

  async close(): Promise<void> {
    await this.#committer.close();
    this.#signal.close();
  }

  async #commit(appends: readonly RunAppend[]): Promise<void> {
    const plan = planAppends(appends, this.#known);
    await this.#write([this.#fence(), ...plan.statements]);
    plan.accept();
    this.#signal.notify(plan);
  }

  #fence(): InStatement {
    if (!this.#holds()) throw new LeaseLostError("This process was stopped for longer than its lease.");
    return fenceStatement(this.#epoch);
  }

  async #write(statements: readonly InStatement[]): Promise<readonly StatementResult[]> {
    try {
      return await this.#database.batch(statements);
    } catch (error) {
      throw asLeaseLost(error);
    }
  }

  #expand(statement: InStatement): Pick<AppendPlan, "statements" | "accept"> {
    const append = typeof statement === "object" ? this.#appends.get(statement) : undefined;
    return append === undefined ? { statements: [statement], accept: () => undefined } : planAppends([append], this.#known);
  }

  async #readEvents(sql: string, args: (string | number)[]): Promise<readonly JournalEvent[]> {
    const found = await this.#database.execute({ sql, args });
    return found.rows.map((row) => {
      const event = parseEvent(JSON.parse(String(row[0])));
      if (event === null || !isKnownEvent(event)) throw new AppError("internal", "The journal holds an event that cannot be read.");
      return event;
    });
  }

  async #dataVersion(): Promise<number> {
    return Number((await this.#database.execute("PRAGMA data_version")).rows[0]?.[0]);
  }
}

/** One result for each statement that was given, however many it became. */
function collapse(parts: readonly Pick<AppendPlan, "statements">[], results: readonly StatementResult[]): readonly TransactResult[] {
  let next = 0;
  return parts.map((part) => {
    const mine = results.slice(next, next + part.statements.length);
    next += part.statements.length;
    return { rows: mine.at(-1)?.rows ?? [], changes: mine.reduce((sum, result) => sum + result.rowsAffected, 0) };
  });
}
