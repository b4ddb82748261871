import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { idParams, projectSchema } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const route = "/api/projects/{id}";

export const PATCH = handle({ route, params: idParams, body: projectSchema.partial() }, async ({ server, params, body }) =>
  ok({ project: await server.projects.patch(requireId("prj", params.id), body) }),
);

export const DELETE = handle({ route, params: idParams }, async ({ server, params }) => {
  await server.projects.remove(requireId("prj", params.id));
  return ok({ ok: true });
});
