/**
 * The controls of a session (contract 3.1 and 4) over one host, in one order for each session: what
 * reads a session and then writes what follows from it never meets itself. The in-process backend
 * and the runner's routes both call these; neither has logic of its own.
 */
import { refused, succeeded } from "#protocol/control";
import type { GoalAction, GoalResult, Outcome, QueueEdit, QueueRequest, QueueResult, RunStartResult } from "#protocol/control";
import type { Attachment, QueueItem } from "#protocol/event-values";
import { parseId } from "#protocol/ids";
import type { RunView } from "#protocol/run-view";
import { compressibleRuns } from "#agent/compress";
import type { BackgroundProcess } from "#agent/tools/background-processes";
import { waitAtMost } from "./drain";
import type { FollowUp } from "./follow-up";
import { MessageOnce } from "./message-once";
import type { WriteReceipt } from "./receipts";
import type { RunHost } from "./run-host";
import type { SessionRow } from "./session-rows";

const QUIESCE_BOUND_MS = 15_000;

export class HostControls {
  private readonly messages: MessageOnce;

  constructor(
    readonly host: RunHost,
    private readonly followUp: FollowUp,
  ) {
    const { database, journal, now } = host.dependencies;
    this.messages = new MessageOnce(database, journal, now);
  }

  /** `during`: the run at work for which it is meant; when it has ended nothing is queued (`not_active`). */
  queueMessage(sessionId: string, request: QueueRequest, during: string | null = null): Promise<Outcome<QueueResult>> {
    const add = async (receipt: WriteReceipt): Promise<Outcome<QueueResult>> => {
      if (during !== null && (await this.session(sessionId))?.active_run_id !== during) return refused("not_active", "This run has ended.");
      return this.followUp.queue(this.host).add(sessionId, request, receipt);
    };
    return this.inOrder(sessionId, () => this.messages.run(sessionId, request, add));
  }

  async editQueue(sessionId: string | null, edit: QueueEdit): Promise<Outcome<QueueItem>> {
    return this.inOrder(await this.sessionOfItem(edit.queue_id), () => this.followUp.queue(this.host).edit(sessionId, edit));
  }

  async removeFromQueue(queueId: string): Promise<Outcome<null>> {
    return this.inOrder(await this.sessionOfItem(queueId), () => this.followUp.queue(this.host).remove(queueId));
  }

  resumeQueue(sessionId: string): Promise<Outcome<RunStartResult | null>> {
    return this.inOrder(sessionId, () => this.followUp.queue(this.host).resume(sessionId));
  }

  updateGoal(sessionId: string, action: GoalAction, text: string | null): Promise<Outcome<GoalResult>> {
    return this.inOrder(sessionId, () => this.followUp.goal(this.host).act(sessionId, action, text));
  }

  async setYolo(sessionId: string, enabled: boolean): Promise<Outcome<boolean>> {
    const session = await this.session(sessionId);
    if (session === null) return unknownSession();
    const { journal } = this.host.dependencies;
    if (session.yolo !== enabled) {
      await journal.transact([
        { sql: "UPDATE sessions SET yolo = ? WHERE session_id = ?", args: [enabled ? 1 : 0, sessionId] },
        ...journal.sessionLogStatements(sessionId, { type: "session.updated", payload: { yolo: enabled } }),
      ]);
    }
    if (enabled) await this.releaseApprovals(sessionId);
    return succeeded(enabled);
  }

  compress(sessionId: string, focus: string | null): Promise<Outcome<RunStartResult>> {
    return this.inOrder(sessionId, async () => {
      const session = await this.session(sessionId);
      if (session === null) return unknownSession();
      if (session.active_run_id !== null) return atWork(session.active_run_id);
      if (compressibleRuns(await this.host.rows.views(sessionId, null)).length === 0) {
        return refused("conflict", "There is nothing to sum up yet.");
      }
      const resolved = await this.resolve(session, { message: "compress", source: "compress", metadata: { focus } });
      if (!resolved.ok) return resolved;
      return this.host.launch({ request: { ...resolved.value, message: null }, session });
    });
  }

  retry(sessionId: string, runId: string | null, message: string | null): Promise<Outcome<RunStartResult>> {
    return this.inOrder(sessionId, async () => {
      const session = await this.session(sessionId);
      if (session === null) return unknownSession();
      if (session.active_run_id !== null) return atWork(session.active_run_id);
      const views = await this.host.rows.views(sessionId, null);
      const from = retryFrom(views, runId);
      const first = views[from];
      if (first === undefined) return refused("conflict", "There is no turn to try again.");
      const row = await this.host.rows.run(first.run_id);
      if (row === null) return refused("conflict", "There is no turn to try again.");
      const asked = row.request;
      const resolved = await this.resolve(session, { message: message ?? asked.message ?? "", source: "retry", metadata: { retries: first.run_id } }, asked.attachments);
      if (!resolved.ok) return resolved;
      const ids = views.slice(from).map((view) => view.run_id);
      const { journal } = this.host.dependencies;
      return this.host.launch({
        request: { ...resolved.value, message: asked.message === null && message === null ? null : resolved.value.message, instruction: message === null ? asked.instruction : null },
        session,
        before: [
          {
            sql: "UPDATE runs SET rewind = (SELECT COALESCE(MAX(rewind), 0) + 1 FROM runs WHERE session_id = ?) WHERE run_id IN (SELECT value FROM json_each(?))",
            args: [sessionId, JSON.stringify(ids)],
          },
          ...journal.sessionLogStatements(sessionId, { type: "session.rewound", payload: { run_ids: ids, reason: "retry" } }),
        ],
      });
    });
  }

  async quiesce(sessionId: string): Promise<Outcome<null>> {
    const session = await this.session(sessionId);
    if (session === null) return unknownSession();
    if (session.active_run_id !== null) {
      const run = this.host.liveRun(session.active_run_id);
      if (run === undefined) return refused("conflict", "Another process owns this session's run. Stop it there.");
      await run.cancel("The session was deleted.");
      await Promise.race([run.finished, waitAtMost(QUIESCE_BOUND_MS)]);
    }
    await this.host.dependencies.processes.stopSession(sessionId);
    return succeeded(null);
  }

  listProcesses(sessionId: string): Promise<Outcome<readonly BackgroundProcess[]>> {
    return Promise.resolve(succeeded(this.host.dependencies.processes.list(sessionId)));
  }

  async stopProcess(sessionId: string, processId: string): Promise<Outcome<null>> {
    const stopped = await this.host.dependencies.processes.stop(sessionId, processId);
    return stopped ? succeeded(null) : refused("not_found", "This process is not running any more.");
  }

  /** Approvals that wait in a session whose person said that nothing needs asking. */
  private async releaseApprovals(sessionId: string): Promise<void> {
    for (const run of this.host.liveRuns()) {
      if (run.request.session_id !== sessionId) continue;
      for (const part of run.view().parts) {
        if (part.type === "approval" && part.status === "pending") await run.resolveApproval(part.approval_id, "once", "yolo");
      }
    }
  }

  private resolve(
    session: SessionRow,
    asked: { readonly message: string; readonly source: string; readonly metadata: Record<string, unknown> },
    attachments: readonly Attachment[] = [],
  ) {
    return this.host.resolve(asked, session, attachments, session.session_id);
  }

  private inOrder<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    return this.followUp.serial.run(sessionId, work);
  }

  private async session(sessionId: string): Promise<SessionRow | null> {
    return parseId("ses", sessionId) === null ? null : this.host.rows.session(sessionId);
  }

  /** An unknown item has no session; its own id keeps its place in the order. */
  private async sessionOfItem(queueId: string): Promise<string> {
    const row = parseId("que", queueId) === null ? null : await this.host.rows.queueItem(queueId);
    return row?.session_id ?? queueId;
  }
}

/** Where a retry begins: at the named run, else at the last one that a person or a goal began; after the newest compression only. */
function retryFrom(views: readonly RunView[], runId: string | null): number {
  const border = views.findLastIndex((view) => view.source === "compress" && view.terminal_state === "completed");
  const index = runId === null ? views.findLastIndex((view) => view.message !== null || view.instruction !== null) : views.findIndex((view) => view.run_id === runId);
  return index > border ? index : -1;
}

function unknownSession(): Outcome<never> {
  return refused("session_not_found", "There is no session with this id.");
}

function atWork(runId: string): Outcome<never> {
  return refused("run_active", "This session is at work. Wait, or stop it first.", { active_stream_id: runId });
}
