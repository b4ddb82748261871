import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { idParams } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const body = z.object({ count: z.int().min(1).nullish(), restore: z.literal(true).nullish() });

export const POST = handle({ route: "/api/sessions/{id}/undo", params: idParams, body }, async ({ server, params, body: { count, restore } }) => {
  const sessionId = requireId("ses", params.id);
  const rewound = restore === true ? await server.sessions.restore(sessionId) : await server.sessions.undo(sessionId, count ?? 1);
  return ok({ ok: true, ...rewound });
});
