/** What the event writer has to know of a body: its envelope, its stream of text, its size. */
import { TERMINAL_TYPES } from "#protocol/events";
import type { RunEvent, RunEventBody } from "#protocol/events";

/** The body in its envelope; `last_seq` of an ending is its own number. */
export function numbered(envelope: Omit<RunEvent, "type" | "payload" | "terminal">, body: RunEventBody, seq: number): RunEvent {
  const terminal = TERMINAL_TYPES.has(body.type);
  if (body.type === "done") return { ...envelope, terminal, type: body.type, payload: { ...body.payload, last_seq: seq } };
  if (body.type === "cancelled") return { ...envelope, terminal, type: body.type, payload: { ...body.payload, last_seq: seq } };
  return { ...envelope, terminal, ...body };
}

/** Streams of text that are redacted across their pieces; null for every other event. */
export function streamKey(body: RunEventBody): string | null {
  switch (body.type) {
    case "token.delta":
      return `text:${body.payload.segment_id}`;
    case "reasoning.delta":
      return `reasoning:${body.payload.segment_id}`;
    case "tool.updated":
      if (body.payload.data !== undefined || body.payload.progress !== undefined) return null;
      if (body.payload.stdout !== undefined && body.payload.stderr !== undefined) return null;
      return `${body.payload.stdout === undefined ? "stderr" : "stdout"}:${body.payload.tool_call_id}`;
    default:
      return null;
  }
}

export function textOf(body: RunEventBody): string {
  switch (body.type) {
    case "token.delta":
    case "reasoning.delta":
      return body.payload.delta;
    case "tool.updated":
      return body.payload.stdout ?? body.payload.stderr ?? "";
    default:
      return "";
  }
}

export function withText(body: RunEventBody, text: string): RunEventBody {
  switch (body.type) {
    case "token.delta":
      return { type: body.type, payload: { ...body.payload, delta: text } };
    case "reasoning.delta":
      return { type: body.type, payload: { ...body.payload, delta: text } };
    case "tool.updated":
      return { type: body.type, payload: { ...body.payload, ...(body.payload.stdout === undefined ? { stderr: text } : { stdout: text }) } };
    default:
      return body;
  }
}

/** About how many characters it takes, for the bound on what is pending. */
export function sizeOf(body: RunEventBody): number {
  const text = textOf(body).length;
  if (text > 0) return text;
  return body.type === "tool.done" ? body.payload.result.length : 200;
}
