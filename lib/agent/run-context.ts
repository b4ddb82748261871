/**
 * What a run gives the agent: everything it may know and do, and nothing about who owns the run.
 * The loop keeps no state of its own: `view()` is the fold of every event of the run, and what the
 * loop wants remembered it emits. The only exception are the unredacted arguments of open calls.
 */
import type { RunEventBody } from "#protocol/events";
import type { RunFailureCode } from "#protocol/errors";
import type { RunRequest } from "#protocol/run-request";
import type { RunView } from "#protocol/run-view";
import type { TerminalState } from "#protocol/status";
import type { CreateId } from "#protocol/ids";
import type { ModelPort } from "./model/model-port";
import type { StopReport, Tool, ToolContext } from "./tools/tool-port";

/** Unredacted arguments of open calls, by call id: in the owner's memory only, until `tool.done`. */
export interface CallOriginals {
  get(toolCallId: string): Readonly<Record<string, unknown>> | undefined;
  set(toolCallId: string, argumentsOf: Readonly<Record<string, unknown>>): void;
  delete(toolCallId: string): void;
}

/** What is allowed without asking, read anew for each call because a person may change it meanwhile. */
export interface ApprovalState {
  readonly mode: "manual" | "off";
  readonly yolo: boolean;
  readonly session_allows: ReadonlySet<string>;
  readonly allowlist: readonly string[];
}

export interface RunLimits {
  readonly max_steps: number;
  /** Seconds until an unanswered approval counts as denied; 0 = never. */
  readonly approval_timeout_s: number;
  readonly clarify_timeout_s: number;
}

export interface ResolvedModel {
  readonly port: ModelPort;
  readonly context_window: number | null;
  /** Whether it takes images. */
  readonly images: boolean;
}

export type RunOutcome =
  | { readonly kind: "completed"; readonly finish: "stop" | "tool_limit_reached" | "length" | "no_response"; readonly result?: Readonly<Record<string, unknown>> }
  | {
      readonly kind: "failed";
      readonly code: RunFailureCode;
      readonly message: string;
      readonly diagnostics: Readonly<Record<string, unknown>>;
      readonly retryable: boolean;
      readonly terminal_state?: TerminalState;
    }
  | { readonly kind: "interrupted"; readonly message: string; readonly diagnostics?: Readonly<Record<string, unknown>> }
  | { readonly kind: "cancelled" };

/** Why the signal was aborted, where the owner goes away: what ran then was cut off, nobody stopped it. */
export const INTERRUPTED = "interrupted";

export interface RunContext {
  readonly run_id: string;
  readonly request: RunRequest;
  readonly limits: RunLimits;
  /** Absolute paths of the files that came with messages of this session. */
  readonly attachments: readonly string[];
  /** Absolute path of the profile's home. */
  readonly home: string;
  readonly child_env: Readonly<Record<string, string>>;
  readonly tools: readonly Tool[];
  readonly originals: CallOriginals;
  /** Versions of files that the model has seen in this session (see `seenFiles`); file tools keep it up to date. */
  readonly reads: Map<string, string>;
  readonly signal: AbortSignal;
  readonly create_id: CreateId;
  /** Unix seconds. */
  readonly now: () => number;
  readonly view: () => RunView;
  /** The session's earlier runs that still count, oldest first. They do not change while this one is at work. */
  readonly history: readonly RunView[];
  /** Appends events in this order, in one commit. Refused events (after the end) are dropped. */
  readonly emit: (...bodies: readonly RunEventBody[]) => void;
  /** Resolves at once, or when the journal can take more. */
  readonly drained: () => Promise<void>;
  /** Resolves when a prompt of this run has been settled since the call, or when aborted. */
  readonly prompt_settled: () => Promise<void>;
  readonly approvals: () => Promise<ApprovalState>;
  /** Keeps what a file was before this run first changes it. Never rejects. */
  readonly keep_previous: ToolContext["keep_previous"];
  readonly report_stop: (report: StopReport) => void;
}
