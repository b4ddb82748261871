import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { countParam, idParams } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const query = z.object({ limit: countParam(1, 200).optional(), before: z.string().max(100).optional() });

export const GET = handle({ route: "/api/sessions/{id}/runs", params: idParams, query }, async ({ server, params, query: { limit = 20, before = null } }) =>
  ok(await server.sessions.runs({ sessionId: requireId("ses", params.id), limit, before })),
);
