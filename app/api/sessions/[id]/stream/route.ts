import { handle } from "#server/handle";
import { requireId, unknownId } from "#server/known-id";
import { sessionCursor } from "#http/request-cursor";
import { idParams } from "#server/route-inputs";
import { resetPieces, sessionPieces } from "#server/session-stream";
import { streamAnswer } from "#server/stream-answer";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/sessions/{id}/stream", params: idParams }, async (call) => {
  const { request, server, params, search } = call;
  const sessionId = requireId("ses", params.id);
  const resolved = await server.journal.resolveSessionCursor(sessionId, sessionCursor(search, request.headers));
  if (resolved === null) throw unknownId("ses");
  const reset = resolved.kind === "reset" ? resolved.reason : null;
  return streamAnswer(call, resetPieces(reset), (signal) => sessionPieces(server, sessionId, resolved, signal));
});
