/**
 * The run adapter: the only way from a route to a run (the RFC's eight methods). It translates; it
 * owns nothing. Facts come back through the journal, never from a method's answer: an answer says
 * whether a control was taken, the events say what became of it.
 *
 * Every method is bounded (5 s against a runner) and never throws for what can be expected.
 * Backends: in-process (the host lives in this process) and runner (it lives in another).
 */
import type { ApprovalChoice, QueueItem } from "#protocol/event-values";
import type {
  ClarifyAnswer,
  ControlResult,
  GoalAction,
  GoalResult,
  Outcome,
  QueueEdit,
  QueueRequest,
  QueueResult,
  RunStartResult,
  StartRunRequest,
} from "#protocol/control";
import type { McpState } from "#protocol/profile-shapes";
import type { RunState } from "#protocol/run-view";
import type { ProcessCrash, RunnerFaultReason } from "#protocol/runner-health";
import type { FrameChunk } from "#journal/journal";

export type AdapterMode = "legacy-direct" | "legacy-journal" | "runner-local";

/** Where an observer stands: frames from its cursor on, or why it starts anew. */
export interface RunEventStream {
  /** Set when the cursor was not usable: say so, then everything from the start follows. */
  readonly reset: string | null;
  /** The cursor stands exactly at the terminal event: nothing follows, ever. */
  readonly finished: boolean;
  readonly chunks: AsyncIterable<FrameChunk>;
}

export interface RuntimeAdapter {
  readonly mode: AdapterMode;
  /** The person's message is durable before this answers. Refusals: run_active, session_not_found, profile_not_found, invalid_request, outside_workspace, draining, runner_not_configured, runner_unavailable. */
  startRun(request: StartRunRequest): Promise<Outcome<RunStartResult>>;
  /** Null for an unknown run. Ending the iteration or aborting the signal never stops the run. */
  observeRun(runId: string, cursor: string | null, signal: AbortSignal): Promise<RunEventStream | null>;
  getRun(runId: string): Promise<RunState | null>;
  cancelRun(runId: string): Promise<Outcome<ControlResult>>;
  respondApproval(runId: string, approvalId: string, choice: ApprovalChoice): Promise<Outcome<ControlResult>>;
  respondClarify(runId: string, clarifyId: string, answer: ClarifyAnswer): Promise<Outcome<ControlResult>>;
  queueMessage(sessionId: string, request: QueueRequest): Promise<Outcome<QueueResult>>;
  updateGoal(sessionId: string, action: GoalAction, text: string | null): Promise<Outcome<GoalResult>>;
}

/** Controls of a session rather than of a run; the same backend, the same owner. */
export interface SessionControls {
  editQueue(sessionId: string | null, edit: QueueEdit): Promise<Outcome<QueueItem>>;
  removeFromQueue(queueId: string): Promise<Outcome<null>>;
  resumeQueue(sessionId: string): Promise<Outcome<RunStartResult | null>>;
  setYolo(sessionId: string, enabled: boolean): Promise<Outcome<boolean>>;
  /** Starts a run of source `compress`; conflict when there is nothing to sum up. */
  compress(sessionId: string, focus: string | null): Promise<Outcome<RunStartResult>>;
  /** Takes the last turn (or `runId` and all after it) out and starts it anew, with `message` in its place when given. */
  retry(sessionId: string, runId: string | null, message: string | null): Promise<Outcome<RunStartResult>>;
  /** Cancels the active run and waits until it ended (at most 15 s), stops background processes: before a session is deleted. */
  quiesce(sessionId: string): Promise<Outcome<null>>;
  listProcesses(sessionId: string): Promise<Outcome<readonly BackgroundProcess[]>>;
  stopProcess(sessionId: string, processId: string): Promise<Outcome<null>>;
}

export interface BackgroundProcess {
  readonly process_id: string;
  readonly command: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly exit_code: number | null;
}

/** What `/api/health` says of the owner of runs. */
export interface RuntimeHealth {
  readonly configured: boolean;
  readonly ok: boolean;
  readonly version?: string;
  readonly active_runs?: number;
  readonly reason?: RunnerFaultReason;
  /** What the runner died of, as long as it is away or was lately; only a supervisor knows. */
  readonly crash?: ProcessCrash;
}

export interface Runtime {
  readonly adapter: RuntimeAdapter;
  readonly controls: SessionControls;
  /** The MCP servers of a profile as the owner of runs has them; opens none. */
  mcpServers(profile: string): Promise<Outcome<readonly McpState[]>>;
  /** Answers within 1 s. */
  health(): Promise<RuntimeHealth>;
  close(): Promise<void>;
}
