import { created, ok } from "#server/answer";
import { handle } from "#server/handle";
import { projectSchema } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const route = "/api/projects";

export const GET = handle({ route }, async ({ server }) => ok({ projects: await server.projects.list() }));

export const POST = handle({ route, body: projectSchema }, async ({ server, body: { name, color } }) =>
  created({ project: await server.projects.create({ name, color: color ?? null }) }),
);
