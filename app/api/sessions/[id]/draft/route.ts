import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { idParams } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const route = "/api/sessions/{id}/draft";

export const GET = handle({ route, params: idParams }, async ({ server, params }) =>
  ok({ text: await server.sessions.draft(requireId("ses", params.id)) }),
);

export const PUT = handle({ route, params: idParams, body: z.object({ text: z.string().max(1_000_000) }) }, async ({ server, params, body }) => {
  await server.sessions.saveDraft(requireId("ses", params.id), body.text);
  return ok({ text: body.text });
});
