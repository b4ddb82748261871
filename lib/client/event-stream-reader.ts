/** Reads one event stream until it ends: bytes in, frames out, the end as a value. */
import { createParser } from "eventsource-parser";
import type { Fetch } from "./http-client";

export interface StreamFrame {
  readonly id: string | null;
  /** `message` where the frame names none. */
  readonly event: string;
  readonly data: string;
}

export type StreamEnd =
  /** The server closed it, or the connection broke. */
  | { readonly kind: "ended" }
  /** Not connected at all. */
  | { readonly kind: "unreachable" }
  | { readonly kind: "refused"; readonly status: number; readonly retry_after_ms: number | null }
  | { readonly kind: "aborted" };

export interface StreamInput {
  readonly url: string;
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  readonly onOpen: () => void;
  /** All whole frames of one piece of the network, in order; empty when the piece held none (a comment). */
  readonly onPiece: (frames: readonly StreamFrame[]) => void;
}

export async function readEventStream(input: StreamInput): Promise<StreamEnd> {
  const response = await openStream(input);
  if (!(response instanceof Response)) return response;
  input.onOpen();
  let frames: StreamFrame[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => frames.push({ id: id ?? null, event: event ?? "message", data }),
  });
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  while (reader !== undefined) {
    const piece = await reader.read().catch(() => null);
    if (input.signal.aborted) return { kind: "aborted" };
    if (piece === null || piece.done) break;
    parser.feed(decoder.decode(piece.value, { stream: true }));
    const whole = frames;
    frames = [];
    input.onPiece(whole);
  }
  return { kind: "ended" };
}

async function openStream({ url, fetch, signal }: StreamInput): Promise<Response | StreamEnd> {
  const headers = { accept: "text/event-stream" };
  const response = await fetch(url, { headers, signal, cache: "no-store" }).catch(() => null);
  if (signal.aborted) return { kind: "aborted" };
  if (response === null) return { kind: "unreachable" };
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  if (response.status === 200 && isStream) return response;
  await response.body?.cancel().catch(() => undefined);
  return { kind: "refused", status: response.status, retry_after_ms: retryAfter(response.headers.get("retry-after")) };
}

function retryAfter(header: string | null): number | null {
  const seconds = header === null ? Number.NaN : Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}
