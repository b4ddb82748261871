import { z } from "zod";
import { created } from "#server/answer";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { idParams } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const body = z.object({ run_id: z.string().nullish(), title: z.string().max(10_000).nullish() });

export const POST = handle({ route: "/api/sessions/{id}/branch", params: idParams, body }, async ({ server, params, body: { run_id, title } }) => {
  const request = { sessionId: requireId("ses", params.id), runId: run_id ?? null, title: title ?? null };
  return created({ ok: true, session: await server.sessions.branch(request) });
});
