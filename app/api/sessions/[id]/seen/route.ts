import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { idParams } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const body = z.object({ event_id: z.string().max(100).nullish() });

export const POST = handle({ route: "/api/sessions/{id}/seen", params: idParams, body }, async ({ server, params, body: { event_id } }) => {
  await server.sessions.markSeen(requireId("ses", params.id), event_id ?? null);
  return ok({ ok: true });
});
