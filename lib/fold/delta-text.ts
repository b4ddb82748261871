/** Text that comes in pieces: which events carry a piece of which stream, and the piece in them. */
import type { RunEventBody } from "#protocol/events";

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
