import { z } from "zod";
import { handle } from "#server/handle";
import { requireId, unknownId } from "#server/known-id";
import { runCursor } from "#http/request-cursor";
import { resetPieces } from "#server/session-stream";
import { streamAnswer } from "#server/stream-answer";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/chat/stream", query: z.object({ stream_id: z.string() }) }, async (call) => {
  const { request, server, query, search } = call;
  const runId = requireId("run", query.stream_id);
  const closing = new AbortController();
  const stream = await server.runtime.adapter.observeRun(runId, runCursor(search, request.headers), closing.signal);
  if (stream === null) throw unknownId("run");
  if (stream.finished) return new Response(null, { status: 204 });
  return streamAnswer(call, resetPieces(stream.reset), (signal) => {
    signal.addEventListener("abort", () => closing.abort(), { once: true });
    return stream.chunks;
  });
});
