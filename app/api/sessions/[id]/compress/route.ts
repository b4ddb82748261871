import { z } from "zod";
import { ok } from "#server/answer";
import { startKeys } from "#server/chat-start";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { taken } from "#server/outcome";
import { idParams } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const body = z.object({ focus: z.string().max(10_000).nullish() });

export const POST = handle({ route: "/api/sessions/{id}/compress", params: idParams, body }, async ({ server, params, body: { focus } }) => {
  const sessionId = requireId("ses", params.id);
  const started = taken(await server.runtime.controls.compress(sessionId, focus ?? null));
  return ok({ ok: true, session: await server.sessions.read(sessionId), ...startKeys(started, null) });
});
