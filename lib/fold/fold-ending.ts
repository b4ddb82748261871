/**
 * How a run ends in its view. A settled run shows nothing open: whatever its events left pending
 * (a lawful story closes each call and prompt itself) is closed with it, so that no card of a run
 * that is over can be answered.
 */
import type { RunPayload } from "#protocol/events";
import type { RunView, ViewPart } from "#protocol/run-view";
import { terminalStateSchema, type TerminalState, type TerminalStatus } from "#protocol/status";
import type { PartsDraft } from "./parts-draft";

const STATE_BY_FINISH: Readonly<Record<RunPayload<"done">["finish"], TerminalState>> = {
  stop: "completed",
  length: "completed",
  tool_limit_reached: "tool_limit_reached",
  no_response: "no_response",
};

/** Which finer states an `error` may name in its diagnostics, and the status that goes with each. */
const STATUS_BY_ERROR_STATE: Readonly<Partial<Record<TerminalState, TerminalStatus>>> = {
  failed: "failed",
  interrupted: "failed",
  compression_exhausted: "failed",
  expired: "expired",
};

function settle(view: RunView, parts: PartsDraft, at: number, ending: { readonly status: TerminalStatus; readonly state: TerminalState }): RunView {
  const callStatus = ending.state === "cancelled" ? "cancelled" : "interrupted";
  parts.mapAll((part) => closePart(part, callStatus, at));
  return { ...view, status: ending.status, terminal_state: ending.state, controls: [], reason: null, ended_at: at };
}

function closePart(part: ViewPart, callStatus: "cancelled" | "interrupted", at: number): ViewPart {
  if (part.type === "tool" && (part.status === "pending" || part.status === "running")) return { ...part, status: callStatus };
  if (part.type === "approval" && part.status === "pending") return { ...part, status: "cancelled", resolved_at: at };
  if (part.type === "clarify" && part.status === "pending") return { ...part, status: "cancelled", resolved_at: at };
  if (part.type === "reasoning" && !part.done) return { ...part, done: true, ended_at: at };
  return part;
}

export function foldDone(view: RunView, parts: PartsDraft, payload: RunPayload<"done">, at: number): RunView {
  const settled = settle(view, parts, at, { status: "completed", state: STATE_BY_FINISH[payload.finish] });
  return { ...settled, result: payload.result };
}

export function foldCancelled(view: RunView, parts: PartsDraft, payload: RunPayload<"cancelled">, at: number): RunView {
  const settled = settle(view, parts, at, { status: "cancelled", state: "cancelled" });
  const { processes, survivors } = payload.stopped;
  return { ...settled, cancelled: { reason: payload.reason, processes, survivors } };
}

/** An error always is a part; only one that ends the run is the view's `error`, and then it is the last part. */
export function foldError(view: RunView, parts: PartsDraft, payload: RunPayload<"error">, at: number, terminal: boolean): RunView {
  const { code, message, diagnostics, retryable } = payload;
  if (!terminal) {
    parts.add({ type: "error", code, message });
    return view;
  }
  const settled = settle(view, parts, at, errorEnding(code, diagnostics));
  parts.add({ type: "error", code, message });
  return { ...settled, error: { code, message, diagnostics, retryable } };
}

function errorEnding(code: string, diagnostics: Readonly<Record<string, unknown>>): { status: TerminalStatus; state: TerminalState } {
  if (code === "runtime_interrupted") return { status: "failed", state: "interrupted" };
  const named = terminalStateSchema.safeParse(diagnostics["terminal_state"]);
  const status = named.success ? STATUS_BY_ERROR_STATE[named.data] : undefined;
  if (!named.success || status === undefined) return { status: "failed", state: "failed" };
  return { status, state: named.data };
}

/**
 * A terminal event of a type that this version does not know. The run is over, and nothing is known
 * to have failed, so it reads `completed` without a result; a newer page tells it better.
 */
export function foldUnknownEnding(view: RunView, parts: PartsDraft, at: number): RunView {
  return settle(view, parts, at, { status: "completed", state: "completed" });
}
