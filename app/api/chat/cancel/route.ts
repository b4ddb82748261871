import { z } from "zod";
import { AppError } from "#protocol/errors";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { taken } from "#server/outcome";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const POST = handle({ route: "/api/chat/cancel", body: z.object({ stream_id: z.string() }) }, async ({ server, body }) => {
  const runId = requireId("run", body.stream_id);
  const result = taken(await server.runtime.adapter.cancelRun(runId));
  if (result.status === "conflict") throw new AppError("conflict", result.safe_message);
  return ok({ ok: true, cancelled: result.accepted, status: result.status, stream_id: runId });
});
