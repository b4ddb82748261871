/**
 * One run that this process owns, from its first event to its terminal one.
 *
 * H2 a start ends in exactly one terminal event, also after a throw. H3 each control either changes
 * state and records its event, or does neither and says why: checks and emits happen in one
 * synchronous step on the writer's own view, so two controls can never both win. H4 cancel is
 * idempotent. A prompt waits in the journal: this object only holds the timer of its expiry and
 * wakes the engine; both are made anew from the view after a restart.
 */
import type { ApprovalChoice } from "#protocol/event-values";
import type { RunEventBody } from "#protocol/events";
import { eventId } from "#protocol/cursor";
import { CONTROLS_BY_STATUS, isActive } from "#protocol/status";
import type { RunStatus } from "#protocol/status";
import type { ControlResult } from "#protocol/control";
import type { PartOf, RunView } from "#protocol/run-view";
import type { RunRequest } from "#protocol/run-request";
import { openPrompts, pendingApproval, pendingClarify } from "#fold/open-work";
import { INTERRUPTED } from "#agent/run-context";
import type { RunOutcome } from "#agent/run-context";
import type { StopReport } from "#agent/tools/tool-port";
import type { EventWriter } from "./event-writer";
import { closingEvents } from "./closing-events";
import { lostRun, notActive } from "./control-answers";
import { withGrace } from "./stop-grace";

const MAX_TIMER_MS = 2_000_000_000;

export type EndReason = "completed" | "failed" | "interrupted" | "cancelled" | "interrupt";

export interface LiveRunInput {
  readonly run_id: string;
  readonly request: RunRequest;
  readonly writer: EventWriter;
  /** Unix seconds. */
  readonly now: () => number;
  readonly execute: (run: LiveRun) => Promise<RunOutcome>;
  /** Waits for a free slot; null when the run needs none to go on. */
  readonly acquire_slot: ((signal: AbortSignal) => Promise<void>) | null;
  /** Ends what the run's commands left behind (children that left their group); nothing to do for a run that ran none. */
  readonly sweep: (run: LiveRun) => Promise<StopReport>;
  /** Slots follow the status: who waits for a person holds none. */
  readonly status_changed: (run: LiveRun, status: RunStatus) => void;
  /** Calls `close`, which makes the end durable, once what must stand before it stands. */
  readonly ending: (run: LiveRun, reason: () => EndReason, close: () => Promise<void>) => Promise<void>;
  readonly ended: (run: LiveRun, reason: EndReason) => Promise<void>;
}

export class LiveRun {
  readonly run_id: string;
  readonly request: RunRequest;
  readonly writer: EventWriter;
  readonly originals = new Map<string, Readonly<Record<string, unknown>>>();
  readonly finished: Promise<void>;
  private readonly abort = new AbortController();
  private readonly settledPrompt = new Set<() => void>();
  private expiry: NodeJS.Timeout | null = null;
  private stopReason: { readonly kind: "cancelled" | "interrupt"; readonly text: string } | null = null;
  private interruption: Extract<RunOutcome, { kind: "interrupted" }> | null = null;
  private stopped: StopReport = { processes: 0, survivors: 0 };

  constructor(private readonly input: LiveRunInput) {
    this.run_id = input.run_id;
    this.request = input.request;
    this.writer = input.writer;
    this.armExpiry();
    this.finished = this.drive();
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  view(): RunView {
    return this.writer.view();
  }

  /** Emits for the engine; a prompt that opens or closes changes the status in the same commit. */
  emit(...bodies: readonly RunEventBody[]): void {
    this.writer.emit(...bodies);
    this.syncStatus();
    this.armExpiry();
  }

  reportStop(report: StopReport): void {
    this.stopped = { processes: this.stopped.processes + report.processes, survivors: this.stopped.survivors + report.survivors };
  }

  /** Resolves when a prompt was settled after the call, or the run is being stopped. */
  promptSettled(): Promise<void> {
    if (this.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.settledPrompt.delete(wake);
        this.signal.removeEventListener("abort", wake);
        resolve();
      };
      this.settledPrompt.add(wake);
      this.signal.addEventListener("abort", wake, { once: true });
    });
  }

  /** `interrupt`: the same stop, but the queue goes on after it. */
  async cancel(reason: string, kind: "cancelled" | "interrupt" = "cancelled"): Promise<ControlResult> {
    const { status, last_seq } = this.view();
    if (!isActive(status)) return notActive("This run has ended.");
    if (status === "cancelling" || this.stopReason !== null) {
      return { accepted: false, status: "cancelling", event_id: eventId(this.run_id, last_seq), safe_message: "This run is being stopped already." };
    }
    this.stopReason = { kind, text: reason };
    this.changeStatus("cancelling", reason);
    const event = eventId(this.run_id, this.view().last_seq);
    this.abort.abort();
    if (!(await this.writer.committed())) return lostRun();
    return { accepted: true, status: "accepted", event_id: event, safe_message: "Stopping." };
  }

  /** Ends the run as interrupted (drain, lost lease): what runs is stopped, nothing is repeated. */
  interrupt(message: string, diagnostics: Readonly<Record<string, unknown>>): void {
    if (this.interruption !== null || !isActive(this.view().status)) return;
    this.interruption = { kind: "interrupted", message, diagnostics };
    this.abort.abort(INTERRUPTED);
  }

  /** Null when that approval does not wait here. */
  pendingApproval(approvalId: string): PartOf<"approval"> | null {
    if (this.stopReason !== null) return null;
    const part = this.view().parts.find((candidate) => candidate.type === "approval" && candidate.approval_id === approvalId);
    return part?.type === "approval" && part.status === "pending" ? part : null;
  }

  pendingClarify(clarifyId: string): PartOf<"clarify"> | null {
    if (this.stopReason !== null) return null;
    const part = this.view().parts.find((candidate) => candidate.type === "clarify" && candidate.clarify_id === clarifyId);
    return part?.type === "clarify" && part.status === "pending" ? part : null;
  }

  async resolveApproval(approvalId: string, choice: ApprovalChoice, by: string): Promise<ControlResult> {
    if (this.pendingApproval(approvalId) === null) return notActive("This was answered already, or is not asked any more.");
    return this.settlePrompt({
      type: "approval.resolved",
      payload: { approval_id: approvalId, choice, status: choice === "deny" ? "denied" : "approved", by },
    });
  }

  async resolveClarify(clarifyId: string, answers: PartOf<"clarify">["answers"]): Promise<ControlResult> {
    if (this.pendingClarify(clarifyId) === null) return notActive("This was answered already, or is not asked any more.");
    return this.settlePrompt({ type: "clarify.resolved", payload: { clarify_id: clarifyId, status: "answered", answers } });
  }

  private async settlePrompt(body: RunEventBody): Promise<ControlResult> {
    this.writer.emit(body);
    const event = eventId(this.run_id, this.view().last_seq);
    this.syncStatus();
    this.armExpiry();
    if (!(await this.writer.committed())) return lostRun();
    this.wake();
    return { accepted: true, status: "accepted", event_id: event, safe_message: "Answered." };
  }

  private wake(): void {
    for (const wake of [...this.settledPrompt]) wake();
  }

  /** One timer, for the prompt that expires next. */
  private armExpiry(): void {
    if (this.expiry !== null) clearTimeout(this.expiry);
    this.expiry = null;
    const times = openPrompts(this.view()).flatMap((prompt) => (prompt.expires_at === null ? [] : [prompt.expires_at]));
    if (times.length === 0) return;
    const wait = Math.min(MAX_TIMER_MS, Math.max(0, (Math.min(...times) - this.input.now()) * 1000));
    this.expiry = setTimeout(() => this.expirePrompts(), wait);
    this.expiry.unref();
  }

  private expirePrompts(): void {
    const now = this.input.now();
    if (this.stopReason !== null || !isActive(this.view().status)) return;
    for (const prompt of openPrompts(this.view())) {
      if (prompt.expires_at === null || prompt.expires_at > now + 0.005) continue;
      this.writer.emit(
        prompt.type === "approval"
          ? { type: "approval.resolved", payload: { approval_id: prompt.approval_id, choice: null, status: "expired", by: "timeout" } }
          : { type: "clarify.resolved", payload: { clarify_id: prompt.clarify_id, status: "expired", answers: {} } },
      );
    }
    this.syncStatus();
    this.armExpiry();
    void this.writer.committed().then(() => this.wake());
  }

  private syncStatus(): void {
    const view = this.view();
    if (!isActive(view.status) || view.status === "cancelling" || view.status === "queued") return;
    const wanted: RunStatus = pendingApproval(view) !== null ? "awaiting_approval" : pendingClarify(view) !== null ? "awaiting_clarify" : "running";
    if (wanted !== view.status) this.changeStatus(wanted);
  }

  private changeStatus(status: RunStatus, reason?: string): void {
    this.writer.emit({ type: "status", payload: { status, controls: [...CONTROLS_BY_STATUS[status]], ...(reason === undefined ? {} : { reason }) } });
    this.input.status_changed(this, status);
  }

  private async drive(): Promise<void> {
    // The caller keeps the object before anything happens to it.
    await Promise.resolve();
    const outcome = await this.execute();
    await this.settle(outcome);
  }

  private async execute(): Promise<RunOutcome> {
    try {
      if (this.input.acquire_slot !== null) await this.input.acquire_slot(this.signal);
      if (this.signal.aborted) return { kind: "cancelled" };
      if (this.view().status === "queued") this.changeStatus("running");
      return await withGrace(this.input.execute(this), this.signal);
    } catch (cause) {
      if (this.signal.aborted) return { kind: "cancelled" };
      return {
        kind: "failed",
        code: "internal",
        message: "Something went wrong inside. What you see was kept.",
        diagnostics: { cause: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause) },
        retryable: true,
      };
    }
  }

  private async settle(outcome: RunOutcome): Promise<void> {
    if (this.expiry !== null) clearTimeout(this.expiry);
    this.reportStop(await this.input.sweep(this));
    const reason = (): EndReason => this.ending(outcome).reason;
    await this.input.ending(this, reason, async () => {
      this.writer.emit(...closingEvents(this.view(), this.ending(outcome).outcome, { reason: this.stopReason?.text ?? "stopped", stopped: this.stopped, now: this.input.now() }));
      await this.writer.committed();
    });
    this.writer.stop();
    this.wake();
    await this.input.ended(this, reason());
  }

  /** A stop that the person asked for wins over what the engine says of it, unless the engine had finished first. */
  private ending(outcome: RunOutcome): { readonly outcome: RunOutcome; readonly reason: EndReason } {
    if (this.interruption !== null) return { outcome: this.interruption, reason: "interrupted" };
    if (this.stopReason !== null) return { outcome: { kind: "cancelled" }, reason: this.stopReason.kind };
    if (outcome.kind === "cancelled") return { outcome: { kind: "interrupted", message: "The run was cut off." }, reason: "interrupted" };
    return { outcome, reason: outcome.kind };
  }
}
