import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { nameParams } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const route = "/api/profiles/{name}/allowlist";

export const GET = handle({ route, params: nameParams }, async ({ server, params }) => ok({ patterns: await server.profiles.allowed(params.name) }));

export const DELETE = handle({ route, params: nameParams, body: z.object({ pattern: z.string().max(10_000) }) }, async ({ server, params, body }) =>
  ok({ patterns: await server.profiles.disallow(params.name, body.pattern) }),
);
