/** What the event writer has to know of a body: its envelope and its size. */
import { textOf } from "#fold/delta-text";
import { TERMINAL_TYPES } from "#protocol/events";
import type { RunEvent, RunEventBody } from "#protocol/events";

/** The body in its envelope; `last_seq` of an ending is its own number. */
export function numbered(envelope: Omit<RunEvent, "type" | "payload" | "terminal">, body: RunEventBody, seq: number): RunEvent {
  const terminal = TERMINAL_TYPES.has(body.type);
  if (body.type === "done") return { ...envelope, terminal, type: body.type, payload: { ...body.payload, last_seq: seq } };
  if (body.type === "cancelled") return { ...envelope, terminal, type: body.type, payload: { ...body.payload, last_seq: seq } };
  return { ...envelope, terminal, ...body };
}

/** About how many characters it takes, for the bound on what is pending. */
export function sizeOf(body: RunEventBody): number {
  const text = textOf(body).length;
  if (text > 0) return text;
  return body.type === "tool.done" ? body.payload.result.length : 200;
}
