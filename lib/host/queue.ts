/**
 * The queue of a session: durable, first in first out, never merged, owned by the runtime. An item
 * becomes a run in the transaction that deletes it, so whatever dies when, it runs exactly once.
 *
 * A steer stands as a row too until the model was told: what the run could not apply becomes the next
 * turn. Whether it was applied is asked of the journal, not remembered.
 */
import type { InStatement } from "@libsql/client";
import type { Attachment, QueueItem } from "#protocol/event-values";
import { refused, succeeded } from "#protocol/control";
import type { Outcome, QueueEdit, QueueRequest, QueueResult, RunStartResult } from "#protocol/control";
import type { RunView } from "#protocol/run-view";
import { constraintOf } from "#db/database-error";
import { isBlank } from "#protocol/blank-text";
import { parseId } from "#protocol/ids";
import { requireThat } from "./guard";
import { canSteer, rankBefore } from "./queue-order";
import type { LiveRun } from "./live-run";
import { NO_RECEIPT, type WriteReceipt } from "./receipts";
import type { RunHost } from "./run-host";
import { toQueueItem } from "./session-rows";
import type { QueueRow, SessionRow } from "./session-rows";

export const QUEUE_LIMIT_ITEMS = 1_000;
export type HoldReason = "stopped" | "failed";

export class SessionQueue {
  constructor(private readonly host: RunHost) {}

  /** On an idle session every mode starts a run at once; while items are held a new one joins them. */
  async add(sessionId: string, asked: QueueRequest, receipt: WriteReceipt): Promise<Outcome<QueueResult>> {
    const session = parseId("ses", sessionId) === null ? null : await this.host.rows.session(sessionId);
    if (session === null) return refused("session_not_found", "There is no session with this id.");
    const request = { ...asked, message: this.host.redact(session.profile, asked.message) };
    const attachments = await this.host.rows.attachments(sessionId, request.attachments ?? []);
    if (attachments === null) return refused("invalid_request", "An attachment is not of this session.", { issues: [{ path: "attachments", message: "is not of this session" }] });
    if (isBlank(request.message) && attachments.length === 0) return emptyMessage();
    const rows = await this.host.rows.queue(sessionId);
    if (rows.length >= QUEUE_LIMIT_ITEMS) return refused("conflict", `The queue is full: ${QUEUE_LIMIT_ITEMS} messages wait already.`);
    const queueId = this.host.dependencies.create_id("que");
    if (session.active_run_id === null && rows.length === 0) return this.startAtOnce(session, request, attachments, queueId, receipt);
    const run = session.active_run_id === null ? undefined : this.host.liveRun(session.active_run_id);
    if (session.active_run_id !== null && run === undefined && request.mode !== "queue") {
      return refused("conflict", "Another process owns this run. Control it there.");
    }
    return this.insert(session, rows, run, { ...request, queue_id: queueId, attachments }, receipt);
  }

  async edit(sessionId: string | null, edit: QueueEdit): Promise<Outcome<QueueItem>> {
    const row = parseId("que", edit.queue_id) === null ? null : await this.host.rows.queueItem(edit.queue_id);
    if (row === null || (sessionId !== null && row.session_id !== sessionId)) return refused("not_found", "This message does not wait any more.");
    if (typeof edit.message === "string" && isBlank(edit.message) && row.attachments.length === 0) return emptyMessage();
    const rows = await this.host.rows.queue(row.session_id);
    const rank = edit.before === null || edit.before === undefined ? row.rank : rankBefore(rows, edit.before, row.queue_id);
    if (rank === null) return refused("not_found", "The message to put it before does not wait any more.");
    const session = await this.host.rows.session(row.session_id);
    const run = session?.active_run_id === null || session === null ? undefined : this.host.liveRun(session.active_run_id);
    const mode = edit.mode ?? row.mode;
    const changed: QueueRow = { ...row, message: this.host.redact(session?.profile ?? "default", edit.message ?? row.message), rank, mode: mode === "steer" && !canSteer(run, row.attachments) ? "queue" : mode };
    await this.change(row.session_id, rows.map((other) => (other.queue_id === row.queue_id ? changed : other)), [
      requireThat("SELECT EXISTS (SELECT 1 FROM queue_items WHERE queue_id = ?)", [row.queue_id]),
      { sql: "UPDATE queue_items SET message = ?, mode = ?, rank = ? WHERE queue_id = ?", args: [changed.message, changed.mode, changed.rank, row.queue_id] },
    ]);
    if (changed.mode === "steer" && row.mode !== "steer" && run !== undefined) run.emit({ type: "steer.accepted", payload: { queue_id: row.queue_id, text: changed.message } });
    if (changed.mode === "interrupt" && row.mode !== "interrupt" && run !== undefined) await run.cancel("Interrupted by the next message.", "interrupt");
    return succeeded(toQueueItem(changed, session?.queue_held !== null));
  }

  async remove(queueId: string): Promise<Outcome<null>> {
    const row = parseId("que", queueId) === null ? null : await this.host.rows.queueItem(queueId);
    if (row === null) return refused("not_found", "This message does not wait any more.");
    const rest = (await this.host.rows.queue(row.session_id)).filter((other) => other.queue_id !== queueId);
    await this.change(row.session_id, rest, [{ sql: "DELETE FROM queue_items WHERE queue_id = ?", args: [queueId] }]);
    return succeeded(null);
  }

  /** Lets held items go on. */
  async resume(sessionId: string): Promise<Outcome<RunStartResult | null>> {
    const session = parseId("ses", sessionId) === null ? null : await this.host.rows.session(sessionId);
    if (session === null) return refused("session_not_found", "There is no session with this id.");
    if (session.queue_held !== null) {
      const rows = await this.host.rows.queue(sessionId);
      await this.change(sessionId, rows, [{ sql: "UPDATE sessions SET queue_held = NULL WHERE session_id = ?", args: [sessionId] }], null);
    }
    return succeeded(session.active_run_id === null ? await this.startNext(sessionId) : null);
  }

  /** After a stop by the person or a failure nothing starts by itself. True when items are held; without items there is nothing to hold. */
  async hold(sessionId: string, reason: HoldReason): Promise<boolean> {
    const rows = await this.host.rows.queue(sessionId);
    if (rows.length === 0 || rows[0]?.mode === "interrupt") return false;
    if ((await this.host.rows.session(sessionId))?.queue_held === reason) return true;
    await this.change(sessionId, rows, [{ sql: "UPDATE sessions SET queue_held = ? WHERE session_id = ?", args: [reason, sessionId] }], reason);
    return true;
  }

  /** Starts the first item when the session is idle and nothing is held; null when nothing started. */
  async startNext(sessionId: string): Promise<RunStartResult | null> {
    const session = await this.host.rows.session(sessionId);
    if (session === null || session.active_run_id !== null) return null;
    const [first, ...rest] = await this.host.rows.queue(sessionId);
    // What is held waits for the person; an interrupt is the person, and goes before the rest, which stays held.
    if (first === undefined || (session.queue_held !== null && first.mode !== "interrupt")) return null;
    const launched = await this.launchItem(session, first, rest);
    if (launched.ok) return launched.value;
    // Lost against another start: whoever won goes on with the queue when its run ends.
    if (launched.error.code === "run_active" || launched.error.code === "draining" || launched.error.code === "conflict") return null;
    await this.hold(sessionId, "failed");
    return null;
  }

  /** Puts leftover steers before everything else and drops those that the model was told. */
  async settleSteers(view: RunView): Promise<void> {
    const sessionId = view.session_id;
    const rows = await this.host.rows.queue(sessionId);
    const applied = new Set(view.parts.flatMap((part) => (part.type === "steer" && part.applied ? [part.queue_id] : [])));
    const steers = rows.filter((row) => row.mode === "steer");
    if (steers.length === 0) return;
    const told = steers.filter((row) => applied.has(row.queue_id)).map((row) => row.queue_id);
    const left = steers.filter((row) => !applied.has(row.queue_id));
    const others = rows.filter((row) => row.mode !== "steer");
    const lowest = Math.min(0, ...rows.map((row) => row.rank));
    const moved = left.map((row, index) => ({ ...row, mode: "queue" as const, source: "steer" as const, rank: lowest - left.length + index }));
    await this.change(sessionId, [...moved, ...others], [
      { sql: "DELETE FROM queue_items WHERE queue_id IN (SELECT value FROM json_each(?))", args: [JSON.stringify(told)] },
      ...moved.map((row): InStatement => ({ sql: "UPDATE queue_items SET mode = 'queue', source = 'steer', rank = ? WHERE queue_id = ?", args: [row.rank, row.queue_id] })),
    ]);
  }

  /** A turn that the runtime itself queues, e.g. the end of a background process. */
  async addReport(sessionId: string, message: string): Promise<void> {
    const rows = await this.host.rows.queue(sessionId);
    const session = await this.host.rows.session(sessionId);
    if (session === null) return;
    const words = this.host.redact(session.profile, message);
    const row = this.newRow(sessionId, rows, { queue_id: this.host.dependencies.create_id("que"), mode: "queue", source: "process", message: words, attachments: [] });
    await this.change(sessionId, [...rows, row], [insertRow(row)]);
    await this.startNext(sessionId);
  }

  private async startAtOnce(session: SessionRow, request: QueueRequest, attachments: readonly Attachment[], queueId: string, receipt: WriteReceipt): Promise<Outcome<QueueResult>> {
    const row = this.newRow(session.session_id, [], { queue_id: queueId, mode: "queue", source: "queue", message: request.message, attachments: [...attachments] });
    const launched = await this.launchItem(session, row, null, receipt);
    if (launched.ok) return succeeded({ accepted: true, status: "started", queue_id: queueId, started: launched.value });
    if (launched.error.code !== "run_active") return launched;
    return this.insert({ ...session, queue_held: null }, [], undefined, { ...request, mode: "queue", queue_id: queueId, attachments }, receipt);
  }

  private async insert(
    session: SessionRow,
    rows: readonly QueueRow[],
    run: LiveRun | undefined,
    item: { readonly queue_id: string; readonly message: string; readonly mode: QueueRequest["mode"]; readonly attachments: readonly Attachment[] },
    receipt: WriteReceipt,
  ): Promise<Outcome<QueueResult>> {
    const mode = item.mode === "steer" && !canSteer(run, item.attachments) ? "queue" : item.mode;
    const row = this.newRow(session.session_id, rows, { ...item, mode, source: "queue", attachments: [...item.attachments] });
    const ordered = mode === "interrupt" ? [row, ...rows] : [...rows, row];
    const statements = [insertRow(row), ...receipt({ run_id: null, queue_id: row.queue_id, title: session.title })];
    const lost = await this.change(session.session_id, ordered, statements).then(() => false, isTaken);
    if (lost) return refused("conflict", "This message was sent at the same moment to somebody else.");
    if (mode === "steer" && run !== undefined) {
      run.emit({ type: "steer.accepted", payload: { queue_id: row.queue_id, text: row.message } });
      await run.writer.committed();
    }
    if (mode === "interrupt" && run !== undefined) await run.cancel("Interrupted by the next message.", "interrupt");
    // The run may have ended between the look and the insert; then nobody else would start this one.
    const started = await this.startNext(session.session_id);
    return succeeded({ accepted: true, status: started === null ? "queued" : "started", queue_id: row.queue_id, started });
  }

  private newRow(
    sessionId: string,
    rows: readonly QueueRow[],
    item: Pick<QueueRow, "queue_id" | "mode" | "source" | "message" | "attachments">,
  ): QueueRow {
    const ranks = rows.map((row) => row.rank);
    const rank = item.mode === "interrupt" ? Math.min(0, ...ranks) - 1 : Math.max(0, ...ranks) + 1;
    return { ...item, session_id: sessionId, created_at: this.host.dependencies.now(), rank };
  }

  /** `rest` null: the item was never stored. */
  private async launchItem(session: SessionRow, row: QueueRow, rest: readonly QueueRow[] | null, receipt: WriteReceipt = NO_RECEIPT): Promise<Outcome<RunStartResult>> {
    const asked = { message: row.message, source: row.source, metadata: { queue_id: row.queue_id } };
    const resolved = await this.host.resolve(asked, session, row.attachments, session.session_id);
    if (!resolved.ok) return resolved;
    const { journal } = this.host.dependencies;
    return this.host.launch({
      request: resolved.value,
      session,
      before:
        rest === null
          ? []
          : [
              requireThat("SELECT EXISTS (SELECT 1 FROM queue_items WHERE queue_id = ?)", [row.queue_id]),
              { sql: "DELETE FROM queue_items WHERE queue_id = ?", args: [row.queue_id] },
            ],
      after: (run_id, title) => (rest === null ? receipt({ run_id, queue_id: row.queue_id, title }) : journal.sessionLogStatements(session.session_id, updatedEvent(rest, null))),
    });
  }

  /** One transaction: the rows change and the session's log says how the queue looks now. */
  private async change(sessionId: string, rows: readonly QueueRow[], statements: readonly InStatement[], held?: string | null): Promise<void> {
    const reason = held === undefined ? ((await this.host.rows.session(sessionId))?.queue_held ?? null) : held;
    await this.host.dependencies.journal.transact([...statements, ...this.tellChange(sessionId, rows, reason)]);
  }

  /** How the queue looks now, in the session's log; an empty one holds nothing. */
  private tellChange(sessionId: string, rows: readonly QueueRow[], held: string | null): readonly InStatement[] {
    const { journal } = this.host.dependencies;
    if (rows.length > 0) return journal.sessionLogStatements(sessionId, updatedEvent(rows, held));
    return [
      { sql: "UPDATE sessions SET queue_held = NULL WHERE session_id = ?", args: [sessionId] },
      ...journal.sessionLogStatements(sessionId, updatedEvent([], null)),
    ];
  }
}

/** Steers that a run holds are told by its own events; the list shows what waits for its turn. */
export function shownQueue(rows: readonly QueueRow[], held: string | null): readonly QueueItem[] {
  return [...rows]
    .filter((row) => row.mode !== "steer")
    .sort((left, right) => left.rank - right.rank)
    .map((row) => toQueueItem(row, held !== null));
}

function updatedEvent(rows: readonly QueueRow[], held: string | null) {
  return { type: "queue.updated" as const, payload: { items: [...shownQueue(rows, held)], held_reason: held } };
}

function emptyMessage(): Outcome<never> {
  return refused("invalid_request", "A message needs words or an attachment.", { issues: [{ path: "message", message: "is empty" }] });
}

/** The same message under the same key, stored by another process: the database's key says so. */
function isTaken(cause: unknown): true {
  if (constraintOf(cause) === null) throw cause;
  return true;
}

function insertRow(row: QueueRow): InStatement {
  return {
    sql: "INSERT INTO queue_items (queue_id, session_id, mode, source, message, attachments, created_at, rank) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    args: [row.queue_id, row.session_id, row.mode, row.source, row.message, JSON.stringify(row.attachments), row.created_at, row.rank],
  };
}
