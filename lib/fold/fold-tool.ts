/**
 * Tool calls in a view. `tool.requested` makes the parts, one for each call of the step, and every
 * later event finds its part by our call id, never by the provider's (which may repeat in the next
 * turn). stdout and stderr are kept exactly as given, as pieces that are appended.
 */
import type { ToolCall } from "#protocol/event-values";
import type { RunPayload } from "#protocol/events";
import type { PartOf } from "#protocol/run-view";
import type { PartsDraft } from "./parts-draft";

type ToolPart = PartOf<"tool">;

function pendingPart(call: ToolCall, messageId: string): ToolPart {
  return {
    type: "tool",
    tool_call_id: call.tool_call_id,
    message_id: messageId,
    name: call.name,
    title: call.title,
    arguments: call.arguments,
    status: "pending",
    stdout: "",
    stderr: "",
    data: null,
    progress: null,
    result: null,
    exit_code: null,
    duration_ms: null,
    started_at: null,
    truncated: null,
    files: [],
    redacted: call.redacted ?? false,
    invalid: call.invalid ?? null,
  };
}

function updateCall(parts: PartsDraft, toolCallId: string, change: (part: ToolPart) => ToolPart): boolean {
  return parts.update("tool", (part) => part.tool_call_id === toolCallId, change);
}

export function foldToolRequested(parts: PartsDraft, payload: RunPayload<"tool.requested">): void {
  for (const call of payload.calls) {
    const known = updateCall(parts, call.tool_call_id, (part) => part);
    if (!known) parts.add(pendingPart(call, payload.message_id));
  }
}

/** Arguments that were too long to repeat (null) stay as `tool.requested` gave them. */
export function foldToolStarted(parts: PartsDraft, payload: RunPayload<"tool.started">, at: number): void {
  const started = (part: ToolPart): ToolPart => ({
    ...part,
    name: payload.name,
    title: payload.title,
    arguments: payload.arguments ?? part.arguments,
    status: "running",
    started_at: at,
  });
  if (updateCall(parts, payload.tool_call_id, started)) return;
  const { tool_call_id, name, title } = payload;
  parts.add(started(pendingPart({ tool_call_id, name, title, arguments: payload.arguments ?? {} }, payload.message_id)));
}

export function foldToolUpdated(parts: PartsDraft, payload: RunPayload<"tool.updated">): void {
  updateCall(parts, payload.tool_call_id, (part) => ({
    ...part,
    stdout: payload.stdout === undefined ? part.stdout : part.stdout + payload.stdout,
    stderr: payload.stderr === undefined ? part.stderr : part.stderr + payload.stderr,
    data: payload.data === undefined ? part.data : appendData(part.data, payload.data),
    progress: payload.progress === undefined ? part.progress : (part.progress ?? "") + payload.progress,
  }));
}

export function foldToolDone(parts: PartsDraft, payload: RunPayload<"tool.done">): void {
  updateCall(parts, payload.tool_call_id, (part) => ({
    ...part,
    status: payload.status,
    result: payload.result,
    exit_code: payload.exit_code ?? null,
    duration_ms: payload.duration_ms,
    truncated: payload.truncated === undefined ? null : { shown: payload.truncated.shown, total: payload.truncated.total },
    files: payload.files ?? part.files,
    data: payload.data === undefined ? part.data : payload.data,
  }));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A piece of `data` is appended by its own kind: lists and texts grow, the keys of objects are set; anything else replaces. */
function appendData(before: unknown, piece: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(piece)) return [...before, ...piece];
  if (typeof before === "string" && typeof piece === "string") return before + piece;
  if (isRecord(before) && isRecord(piece)) return { ...before, ...piece };
  return piece;
}
