import { handle } from "#server/handle";
import { severalSessionPieces } from "#server/session-stream";
import { streamAnswer } from "#server/stream-answer";
import { streamTargets } from "#server/stream-targets";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

/** The page's own stream: `?s=<session_id>~<cursor>&s=…`, several sessions in one connection. */
export const GET = handle({ route: "/api/events" }, async (call) => {
  const targets = streamTargets(call.search);
  return streamAnswer(call, [], (signal) => severalSessionPieces(call.server, targets, signal));
});
