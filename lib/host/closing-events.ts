/**
 * How a run ends, as events: every open call gets its one `tool.done`, every open prompt its
 * `*.resolved`, then exactly one terminal event. Used for every ending, also by recovery, so that
 * an ended run looks the same whoever ended it.
 */
import type { ToolStatus, Usage } from "#protocol/event-values";
import type { RunEventBody } from "#protocol/events";
import type { RunView } from "#protocol/run-view";
import { openCalls, openPrompts } from "#fold/open-work";
import type { RunOutcome } from "#agent/run-context";
import type { StopReport } from "#agent/tools/tool-port";

export interface StopFacts {
  readonly reason: string;
  readonly stopped: StopReport;
  /** Unix seconds. */
  readonly now: number;
}

const CLOSED_CALL: Readonly<Record<RunOutcome["kind"], { readonly status: ToolStatus; readonly result: string }>> = {
  completed: { status: "error", result: "The turn ended before this ran." },
  failed: { status: "error", result: "The turn failed before this was done." },
  interrupted: { status: "interrupted", result: "Cut off: the process that ran it went away. It may have had effects; it is not repeated." },
  cancelled: { status: "cancelled", result: "Stopped by the person before it was done." },
};

export function closingEvents(view: RunView, outcome: RunOutcome, stop: StopFacts): readonly RunEventBody[] {
  const bodies: RunEventBody[] = [];
  for (const prompt of openPrompts(view)) {
    bodies.push(
      prompt.type === "approval"
        ? { type: "approval.resolved", payload: { approval_id: prompt.approval_id, choice: null, status: "cancelled", by: "runtime" } }
        : { type: "clarify.resolved", payload: { clarify_id: prompt.clarify_id, status: "cancelled", answers: {} } },
    );
  }
  for (const call of openCalls(view)) {
    const closed = CLOSED_CALL[outcome.kind];
    const durationMs = call.started_at === null ? 0 : Math.max(0, Math.round((stop.now - call.started_at) * 1000));
    bodies.push({
      type: "tool.done",
      payload: { tool_call_id: call.tool_call_id, result: closed.result, status: closed.status, duration_ms: durationMs, is_error: true },
    });
  }
  bodies.push(...unfinishedReasoning(view));
  const usage = view.usage ?? (outcome.kind === "completed" ? unknownUsage(view, stop.now) : null);
  if (usage !== null) bodies.push({ type: "usage.final", payload: usage });
  bodies.push(terminalEvent({ ...view, usage }, outcome, stop));
  return bodies;
}

/** A provider that counted nothing: every number is unknown, never 0. */
function unknownUsage(view: RunView, now: number): Usage {
  return {
    input_tokens: null,
    output_tokens: null,
    reasoning_tokens: null,
    cache_read_tokens: null,
    cache_write_tokens: null,
    cost_usd: null,
    provider: view.provider,
    model: view.model,
    duration_ms: Math.max(0, Math.round((now - view.started_at) * 1000)),
    context_tokens: null,
    context_window: null,
  };
}

/** Thinking that was cut off is closed with what came, so that no screen shows it as going on. */
function unfinishedReasoning(view: RunView): readonly RunEventBody[] {
  return view.parts.flatMap((part) =>
    part.type === "reasoning" && !part.done
      ? [{ type: "reasoning.done" as const, payload: { segment_id: part.segment_id, text: part.text, visibility: "summary" } }]
      : [],
  );
}

/** `last_seq` is filled in by the writer that numbers the event. */
function terminalEvent(view: RunView, outcome: RunOutcome, stop: StopFacts): RunEventBody {
  switch (outcome.kind) {
    case "completed":
      return {
        type: "done",
        payload: { status: "completed", finish: outcome.finish, usage: view.usage, result: outcome.result ?? null, last_seq: 0 },
      };
    case "cancelled":
      return { type: "cancelled", payload: { status: "cancelled", reason: stop.reason, last_seq: 0, stopped: { ...stop.stopped } } };
    case "failed":
      return {
        type: "error",
        payload: {
          code: outcome.code,
          message: outcome.message,
          diagnostics: { ...outcome.diagnostics, ...(outcome.terminal_state === undefined ? {} : { terminal_state: outcome.terminal_state }) },
          retryable: outcome.retryable,
        },
      };
    case "interrupted":
      return {
        type: "error",
        payload: {
          code: "runtime_interrupted",
          message: outcome.message,
          diagnostics: { ...outcome.diagnostics, last_event_id: `${view.run_id}:${view.last_seq}`, last_status: view.status },
          retryable: true,
        },
      };
  }
}
