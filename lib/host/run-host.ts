/**
 * The one owner of live runs, wherever it is placed (web process or runner: same class).
 *
 * H1 one owner per run, by lease with an epoch; whoever lost it cannot append. H2 each start ends in
 * one terminal event. H3 a control changes state and records it, or says why not. H5 nothing here
 * reads the environment or the working directory for a run.
 *
 * The map below is no database: it holds what can only live in memory (abort signals, timers, the
 * unredacted arguments of open calls). Everything else is read from the journal.
 */
import type { ApprovalChoice, Attachment } from "#protocol/event-values";
import { LeaseLostError } from "#journal/journal";
import { refused, succeeded, type ClarifyAnswer, type ControlResult, type Outcome, type RunStartResult, type StartRunRequest } from "#protocol/control";
import { parseId } from "#protocol/ids";
import { isActive, runStatusSchema, type RunStatus } from "#protocol/status";
import type { RunRequest } from "#protocol/run-request";
import type { RunView } from "#protocol/run-view";
import type { RunOutcome } from "#agent/run-context";
import { sweepMarked } from "#agent/tools/process-tree";
import type { StopReport } from "#agent/tools/tool-port";
import { insertAskedSession } from "./asked-session";
import { drainRuns, STOP_BOUND_MS, waitAtMost } from "./drain";
import { EventWriter } from "./event-writer";
import { notActive } from "./control-answers";
import { LiveRun, type EndReason } from "./live-run";
import { Launcher, type LaunchInput } from "./launcher";
import { readAnswers } from "./clarify-answers";
import { resolveRequest } from "./resolve-request";
import { SessionRows, type SessionRow } from "./session-rows";
import { Slots } from "./slots";
import type { WriteReceipt } from "./receipts";
import { StartOnce } from "./start-once";
import type { HostDependencies } from "./host-dependencies";

/** What a run's end means for its session. `endRun` ends it by `close`, with nobody changing the session in between. */
export interface RunFollowUp {
  endRun(host: RunHost, sessionId: string, reason: () => EndReason, close: () => Promise<void>): Promise<void>;
  /** Called after a run's terminal event is durable: queue, goal and titles go on from there. */
  afterRun(host: RunHost, run: LiveRun, reason: EndReason): Promise<void>;
}

export class RunHost {
  readonly rows: SessionRows;
  private readonly slots: Slots;
  private readonly launcher: Launcher;
  private readonly starts: StartOnce;
  private readonly lives = new Map<string, LiveRun>();
  /** Runs that this owner gave up because the file took nothing for long: they end once it does again (see recovery). */
  readonly unstored = new Set<string>();
  private readonly endings = new Set<Promise<void>>();
  private draining = false;

  constructor(
    readonly dependencies: HostDependencies,
    private readonly followUp: RunFollowUp,
  ) {
    this.rows = new SessionRows(dependencies.database, dependencies.journal, dependencies.state_directory);
    this.slots = new Slots(dependencies.limits.max_concurrent_runs);
    this.starts = new StartOnce(dependencies.database, dependencies.journal, dependencies.now);
    this.launcher = new Launcher({
      journal: dependencies.journal,
      slots: this.slots,
      epoch: dependencies.epoch,
      create_id: dependencies.create_id,
      now: dependencies.now,
      create_writer: (runId, request) => this.createWriter(runId, request, null),
      adopt: (runId, request, writer, queued) => this.adopt(runId, request, writer, queued),
      active_run: async (sessionId) => (await this.rows.session(sessionId))?.active_run_id ?? null,
    });
  }

  get isDraining(): boolean {
    return this.draining;
  }

  liveRuns(): readonly LiveRun[] {
    return [...this.lives.values()];
  }

  liveRun(runId: string): LiveRun | undefined {
    return this.lives.get(runId);
  }

  liveRunOf(sessionId: string): LiveRun | undefined {
    return this.liveRuns().find((run) => run.request.session_id === sessionId && isActive(run.view().status));
  }

  /** A start by a person or another program; the message is durable before this answers. Asked for twice it happens once. */
  async start(asked: StartRunRequest): Promise<Outcome<RunStartResult>> {
    const runId = this.freeRunId(asked.run_id);
    if (runId === null) return refused("invalid_request", "`run_id` is not an id of a run.", { issues: [{ path: "run_id", message: "is not an id of a run" }] });
    return this.starts.run(asked, (receipt) => this.startAs(runId, asked, receipt));
  }

  private async startAs(runId: string, asked: StartRunRequest, receipt: WriteReceipt): Promise<Outcome<RunStartResult>> {
    const session = asked.session_id === null || asked.session_id === undefined ? null : await this.knownSession(asked.session_id);
    if (session === "unknown") return refused("session_not_found", "There is no session with this id.");
    const sessionId = session?.session_id ?? this.dependencies.create_id("ses");
    const attachments = await this.rows.attachments(sessionId, asked.attachments ?? []);
    if (attachments === null) return refused("invalid_request", "An attachment is not of this session.", { issues: [{ path: "attachments", message: "is not of this session" }] });
    const resolved = await this.resolve(asked, session, attachments, sessionId);
    if (!resolved.ok) return resolved;
    return this.launch({
      request: resolved.value,
      session,
      run_id: runId,
      before: session === null ? [insertAskedSession(resolved.value, asked, this.dependencies.now())] : [],
      after: (run_id, title) => receipt({ run_id, queue_id: null, title }),
    });
  }

  /** What runs when this is asked for; J6 also for what is stored beside the events: no known secret in it. */
  resolve(asked: StartRunRequest, session: SessionRow | null, attachments: readonly Attachment[], sessionId: string): Promise<Outcome<RunRequest>> {
    const { defaults, redactor_for } = this.dependencies;
    return resolveRequest({ asked, session, attachments, session_id: sessionId, defaults, redactor_for, session_of_run: (runId) => this.rows.sessionOfRun(runId) });
  }

  /** Words of a person as they may be stored. */
  redact(profile: string, text: string): string {
    return this.dependencies.redactor_for(profile).text(text);
  }

  /** A start by the runtime itself (queue, goal, retry, …), already resolved. */
  async launch(input: LaunchInput): Promise<Outcome<RunStartResult>> {
    if (this.draining) return refused("draining", "The runtime is shutting down. What you sent is not lost: try again in a moment.", { retryable: true });
    return this.launcher.launch(input);
  }

  async cancel(runId: string, reason: string, kind: "cancelled" | "interrupt" = "cancelled"): Promise<Outcome<ControlResult>> {
    const run = await this.owned(runId);
    return run.ok ? succeeded(run.value instanceof LiveRun ? await run.value.cancel(reason, kind) : run.value) : run;
  }

  async respondApproval(runId: string, approvalId: string, choice: ApprovalChoice): Promise<Outcome<ControlResult>> {
    const run = await this.owned(runId);
    if (!run.ok) return run;
    if (!(run.value instanceof LiveRun)) return succeeded(run.value);
    const prompt = run.value.pendingApproval(approvalId);
    if (prompt === null) return succeeded(notActive("This was answered already, or is not asked any more."));
    if (!prompt.choices.includes(choice)) {
      return refused("invalid_request", "This choice was not offered.", { issues: [{ path: "choice", message: "was not offered" }] });
    }
    // Remembered first: a crash in between leaves something allowed that the person did allow.
    await this.dependencies.permissions.remember(run.value.request, prompt.risk.pattern_keys, choice);
    return succeeded(await run.value.resolveApproval(approvalId, choice, "person"));
  }

  async respondClarify(runId: string, clarifyId: string, answer: ClarifyAnswer): Promise<Outcome<ControlResult>> {
    const run = await this.owned(runId);
    if (!run.ok) return run;
    if (!(run.value instanceof LiveRun)) return succeeded(run.value);
    const prompt = run.value.pendingClarify(clarifyId);
    if (prompt === null) return succeeded(notActive("This was answered already, or is not asked any more."));
    const answers = readAnswers(prompt.questions, answer);
    if (!answers.ok) return answers;
    return succeeded(await run.value.resolveClarify(clarifyId, answers.value));
  }

  /** Goes on with a run that another owner began: a queued one waits for its slot, a waiting one for its person. */
  resume(view: RunView, request: RunRequest): void {
    const writer = this.createWriter(view.run_id, request, view);
    this.adopt(view.run_id, request, writer, view.status === "queued");
  }

  createWriter(runId: string, request: RunRequest, view: RunView | null): EventWriter {
    const { journal, redactor_for, now, logger } = this.dependencies;
    return new EventWriter({
      run_id: runId,
      session_id: request.session_id,
      view,
      redactor: redactor_for(request.profile),
      now,
      enqueue: (source) => journal.enqueue(source),
      failed: (cause) => {
        if (!this.unstored.has(runId)) logger.error({ run_id: runId, cause: String(cause) }, "a run's events could not be stored");
        if (!(cause instanceof LeaseLostError)) this.unstored.add(runId);
        this.lives.get(runId)?.interrupt("The database did not take the run's events.", { reason: "not_stored", pid: process.pid });
      },
    });
  }

  /** No new runs; those that run get `graceMs`, then they are interrupted (see `drainRuns`). */
  async drain(graceMs: number): Promise<void> {
    this.draining = true;
    await drainRuns(() => this.liveRuns(), graceMs);
    await Promise.race([Promise.all([...this.endings]), waitAtMost(STOP_BOUND_MS)]);
  }

  private async knownSession(id: string) {
    const sessionId = parseId("ses", id);
    const session = sessionId === null ? null : await this.rows.session(sessionId);
    return session ?? ("unknown" as const);
  }

  private freeRunId(asked: string | null | undefined): string | null {
    return asked === null || asked === undefined ? this.dependencies.create_id("run") : parseId("run", asked);
  }

  /** The live run, or what its state says to a control: unknown, ended, or another owner's. */
  private async owned(runId: string): Promise<Outcome<LiveRun | ControlResult>> {
    const live = this.lives.get(runId);
    if (live !== undefined) return succeeded(live);
    const row = parseId("run", runId) === null ? null : await this.rows.run(runId);
    if (row === null) return refused("run_not_found", "There is no run with this id.");
    if (!isActive(runStatusSchema.parse(row.status))) return succeeded(notActive("This run has ended."));
    return succeeded({ accepted: false, status: "conflict", event_id: null, safe_message: "Another process owns this run. Control it there." });
  }

  private adopt(runId: string, request: RunRequest, writer: EventWriter, queued: boolean): void {
    const run = new LiveRun({
      run_id: runId,
      request,
      writer,
      now: this.dependencies.now,
      execute: (live) => this.execute(live),
      acquire_slot: queued ? (signal) => this.slots.wait(runId, signal) : null,
      sweep: (live) => this.sweep(live),
      status_changed: (live, status) => this.followSlot(live.run_id, status),
      ending: (live, reason, close) => this.followUp.endRun(this, live.request.session_id, reason, close),
      ended: (live, reason) => this.ended(live, reason),
    });
    this.lives.set(runId, run);
  }

  private async execute(run: LiveRun): Promise<RunOutcome> {
    return this.dependencies.engine.run(await this.dependencies.create_context(this, run));
  }

  /** Foreground children die with their run, also those that left its process group; background ones belong to the session. */
  private async sweep(run: LiveRun): Promise<StopReport> {
    const ran = run.view().parts.some((part) => part.type === "tool" && part.name === "terminal" && part.started_at !== null);
    if (!ran) return { processes: 0, survivors: 0 };
    return sweepMarked((mark) => mark.run_id === run.run_id && !mark.background);
  }

  private followSlot(runId: string, status: RunStatus): void {
    if (status === "awaiting_approval" || status === "awaiting_clarify") this.slots.free(runId);
    if (status === "running") this.slots.hold(runId);
  }

  private async ended(run: LiveRun, reason: EndReason): Promise<void> {
    this.slots.free(run.run_id);
    this.lives.delete(run.run_id);
    const following = this.followUp.afterRun(this, run, reason).catch((cause: unknown) => {
      this.dependencies.logger.error({ run_id: run.run_id, cause: String(cause) }, "what follows a run failed");
    });
    this.endings.add(following);
    void following.then(() => this.endings.delete(following));
  }
}
