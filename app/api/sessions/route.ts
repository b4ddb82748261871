import { z } from "zod";
import { created, ok } from "#server/answer";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { countParam, flagParam, folderPath, modelName, providerName } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const query = z.object({
  query: z.string().max(1000).optional(),
  project_id: z.string().optional(),
  profile: z.string().optional(),
  archived: flagParam.optional(),
  limit: countParam(1, 200).optional(),
  cursor: z.string().max(400).optional(),
});

export const GET = handle({ route: "/api/sessions", query }, async ({ server, query: wanted }) => {
  const project = wanted.project_id === undefined ? null : await server.projects.require(requireId("prj", wanted.project_id));
  const { query: words = null, profile = null, archived = false, limit = 50, cursor = null } = wanted;
  return ok(await server.sessions.list({ query: words, projectId: project?.project_id ?? null, profile, archived, limit, cursor }));
});

const body = z.object({
  title: z.string().max(10_000).nullish(),
  profile: z.string().nullish(),
  project_id: z.string().nullish(),
  workspace: folderPath.nullish(),
  provider: providerName.nullish(),
  model: modelName.nullish(),
});

export const POST = handle({ route: "/api/sessions", body }, async ({ server, body: wishes }) => {
  if (typeof wishes.project_id === "string") requireId("prj", wishes.project_id);
  return created({ session: await server.sessions.create(wishes) });
});
