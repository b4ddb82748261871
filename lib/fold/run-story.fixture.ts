/** Tells a run's story in tests: bodies in, numbered events out, a second of the clock for each. */
import type { RunEvent, RunEventBody, RunPayload, UnknownEvent } from "#protocol/events";

const TERMINAL: ReadonlySet<string> = new Set(["error", "cancelled", "done"]);

export interface StoryOptions {
  readonly runId?: string;
  readonly sessionId?: string;
  readonly text?: string | null;
  readonly source?: string;
  readonly instruction?: string;
  /** Seconds of the first event. */
  readonly at?: number;
}

export function started(options: StoryOptions = {}): RunEventBody {
  const text = options.text === undefined ? "hello" : options.text;
  return {
    type: "run.started",
    payload: {
      message: text === null ? null : { id: `msg_${options.runId ?? "run_1"}`, text, attachments: [] },
      source: options.source ?? "webui",
      profile: "default",
      workspace: "/w",
      provider: "demo",
      model: "practice",
      toolsets: [],
      turn_id: "turn_1",
      controls: ["cancel", "queue", "steer", "interrupt"],
      continues: null,
      ...(options.instruction === undefined ? {} : { instruction: options.instruction }),
    },
  };
}

/** The events of a run whose first body is `run.started`; the last one is terminal when its type always is. */
export function tell(bodies: readonly RunEventBody[], options: StoryOptions = {}): readonly RunEvent[] {
  const runId = options.runId ?? "run_1";
  return bodies.map((body, index) => ({
    event_id: `${runId}:${index + 1}`,
    seq: index + 1,
    run_id: runId,
    session_id: options.sessionId ?? "ses_1",
    created_at: (options.at ?? 1000) + index,
    terminal: TERMINAL.has(body.type) && index === bodies.length - 1,
    ...body,
  }));
}

/** A whole run: started, then these. */
export function story(bodies: readonly RunEventBody[], options: StoryOptions = {}): readonly RunEvent[] {
  return tell([started(options), ...bodies], options);
}

export function unknownEvent(seq: number, terminal: boolean, runId = "run_1"): UnknownEvent {
  return { event_id: `${runId}:${seq}`, seq, run_id: runId, session_id: "ses_1", created_at: 1000 + seq, terminal, type: "future.thing", payload: {} };
}

export function tokenPayload(delta: string, segment = "seg_1", message = "msg_a"): RunPayload<"token.delta"> {
  return { message_id: message, segment_id: segment, delta, content_type: "text/markdown" };
}

export function token(delta: string, segment = "seg_1", message = "msg_a"): RunEventBody {
  return { type: "token.delta", payload: tokenPayload(delta, segment, message) };
}

export function reasoning(delta: string, segment = "seg_r"): RunEventBody {
  return { type: "reasoning.delta", payload: { segment_id: segment, delta, visibility: "visible" } };
}

export function requested(calls: readonly string[], message = "msg_a"): RunEventBody {
  return {
    type: "tool.requested",
    payload: {
      message_id: message,
      calls: calls.map((id) => ({ tool_call_id: id, name: "terminal", title: `echo ${id}`, arguments: { command: `echo ${id}` } })),
    },
  };
}

export function toolStarted(call: string, callArguments: Record<string, unknown> | null = { command: `echo ${call}` }, message = "msg_a"): RunEventBody {
  return { type: "tool.started", payload: { tool_call_id: call, name: "terminal", title: `echo ${call}`, arguments: callArguments, message_id: message } };
}

export function toolDone(call: string, result = "ok", status: "ok" | "error" | "denied" | "cancelled" | "interrupted" = "ok"): RunEventBody {
  return { type: "tool.done", payload: { tool_call_id: call, result, status, exit_code: 0, duration_ms: 5, is_error: status !== "ok" } };
}

export function stdout(call: string, piece: string): RunEventBody {
  return { type: "tool.updated", payload: { tool_call_id: call, stdout: piece } };
}

export function approvalRequested(approval: string, call: string): RunEventBody {
  return {
    type: "approval.requested",
    payload: {
      approval_id: approval,
      tool_call_id: call,
      summary: "Delete a folder",
      command: "rm -r x",
      risk: { level: "high", reasons: ["deletes"], pattern_keys: ["rm"] },
      choices: ["once", "deny"],
      expires_at: null,
    },
  };
}

export function steer(kind: "accepted" | "applied", text: string, queue = "que_1"): RunEventBody {
  return { type: `steer.${kind}`, payload: { queue_id: queue, text } };
}

export function status(value: "queued" | "running" | "awaiting_approval" | "cancelling"): RunEventBody {
  return { type: "status", payload: { status: value, controls: ["cancel"] } };
}

export function done(finish: "stop" | "tool_limit_reached" | "length" | "no_response" = "stop"): RunEventBody {
  return { type: "done", payload: { status: "completed", finish, usage: null, result: null, last_seq: 0 } };
}

export function failed(code: string, diagnostics: Record<string, unknown> = {}): RunEventBody {
  return { type: "error", payload: { code, message: "It did not work.", diagnostics, retryable: true } };
}

export function cancelled(): RunEventBody {
  return { type: "cancelled", payload: { status: "cancelled", reason: "user", last_seq: 0, stopped: { processes: 1, survivors: 0 } } };
}

export function usage(input: number, context: number | null, window: number | null): RunEventBody {
  return {
    type: "usage.updated",
    payload: {
      input_tokens: input,
      output_tokens: 10,
      reasoning_tokens: null,
      cache_read_tokens: null,
      cache_write_tokens: null,
      cost_usd: null,
      provider: "demo",
      model: "practice",
      duration_ms: 100,
      context_tokens: context,
      context_window: window,
    },
  };
}

export function compressed(summary: string, covers: readonly string[]): RunEventBody {
  return { type: "progress", payload: { text: "Summed up", kind: "compressed", summary, covers: [...covers] } };
}
