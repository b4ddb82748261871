import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { countParam, folderPath, idParams, modelName, providerName } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const route = "/api/sessions/{id}";

const query = z.object({ runs: countParam(1, 200).optional(), before: z.string().max(100).optional() });

export const GET = handle({ route, params: idParams, query }, async ({ server, params, query: { runs = 20, before = null } }) =>
  ok(await server.sessions.open({ sessionId: requireId("ses", params.id), runs, before })),
);

const body = z.object({
  title: z.string().max(10_000).optional(),
  profile: z.string().optional(),
  project_id: z.string().nullable().optional(),
  workspace: folderPath.optional(),
  provider: providerName.nullable().optional(),
  model: modelName.nullable().optional(),
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
  reasoning: z.enum(["none", "minimal", "low", "medium", "high", "xhigh"]).nullable().optional(),
});

export const PATCH = handle({ route, params: idParams, body }, async ({ server, params, body: changes }) => {
  const sessionId = requireId("ses", params.id);
  if (typeof changes.project_id === "string") requireId("prj", changes.project_id);
  return ok({ session: await server.sessions.patch(sessionId, changes) });
});

export const DELETE = handle({ route, params: idParams }, async ({ server, params }) => {
  await server.sessions.remove(requireId("ses", params.id));
  return ok({ ok: true });
});
