/** Event streams as routes answer them: the one place that knows what a stream needs of the server. */
import { runCursor, sessionCursor } from "#http/request-cursor";
import { eventStreamResponse, type StreamPiece } from "#http/sse";
import type { Call } from "./handle";
import { requireId, unknownId } from "./known-id";
import { resetPieces, sessionPieces, severalSessionPieces } from "./session-stream";
import { streamTargets } from "./stream-targets";

type StreamCall = Pick<Call<undefined, undefined, undefined>, "request" | "server" | "peer" | "search">;

/** One run from a cursor on; 204 when the cursor stands at its end. Throws `stream_not_found`, `too_many_streams`. */
export async function runStreamAnswer(call: StreamCall, id: string): Promise<Response> {
  const { request, server, search } = call;
  const closing = new AbortController();
  const stream = await server.runtime.adapter.observeRun(requireId("run", id), runCursor(search, request.headers), closing.signal);
  if (stream === null) throw unknownId("run");
  if (stream.finished) return new Response(null, { status: 204 });
  return streamAnswer(call, resetPieces(stream.reset), (signal) => {
    signal.addEventListener("abort", () => closing.abort(), { once: true });
    return stream.chunks;
  });
}

/** A session from a cursor on. Throws `session_not_found`, `too_many_streams`. */
export async function sessionStreamAnswer(call: StreamCall, id: string): Promise<Response> {
  const { request, server, search } = call;
  const sessionId = requireId("ses", id);
  const resolved = await server.journal.resolveSessionCursor(sessionId, sessionCursor(search, request.headers));
  if (resolved === null) throw unknownId("ses");
  const reset = resetPieces(resolved.kind === "reset" ? resolved.reason : null);
  return streamAnswer(call, reset, (signal) => sessionPieces(server, sessionId, resolved, signal));
}

/** The page's own: several sessions, each from its cursor. Throws `invalid_request` (too many), `too_many_streams`. */
export function severalSessionsAnswer(call: StreamCall): Response {
  const targets = streamTargets(call.search);
  return streamAnswer(call, [], (signal) => severalSessionPieces(call.server, targets, signal));
}

function streamAnswer({ request, server, peer }: StreamCall, first: readonly StreamPiece[], open: (signal: AbortSignal) => AsyncIterable<StreamPiece>): Response {
  return eventStreamResponse({
    gauge: server.streams,
    clientSignal: request.signal,
    timing: server.streamTiming,
    first,
    open,
    hangUp: () => {
      if (peer !== null) server.peers.hangUp(peer.connection);
    },
    onFailure: (error) => server.logger.error({ err: error }, "an event stream's source failed"),
  });
}
