import { z } from "zod";
import { ok } from "#server/answer";
import { startKeys } from "#server/chat-start";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { taken } from "#server/outcome";
import { idParams } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const body = z.object({ run_id: z.string().nullish(), message: z.string().min(1).max(1_000_000).nullish() });

export const POST = handle({ route: "/api/sessions/{id}/retry", params: idParams, body }, async ({ server, params, body: { run_id, message } }) => {
  const sessionId = requireId("ses", params.id);
  const started = taken(await server.runtime.controls.retry(sessionId, run_id ?? null, message ?? null));
  return ok({ ok: true, session: await server.sessions.read(sessionId), ...startKeys(started, null) });
});
