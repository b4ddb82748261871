import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { requireId, unknownId } from "#server/known-id";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/chat/stream/status", query: z.object({ stream_id: z.string() }) }, async ({ server, query }) => {
  const state = await server.runtime.adapter.getRun(requireId("run", query.stream_id));
  if (state === null) throw unknownId("run");
  return ok(state);
});
