import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { nameParams } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const route = "/api/profiles/{name}/keys";

export const GET = handle({ route, params: nameParams }, async ({ server, params }) => ok({ keys: await server.keys.list(params.name) }));

/** Null takes a variable out. Nothing of it is kept for a repeated request. */
const body = z.object({ values: z.record(z.string().max(200), z.string().max(8192).nullable()) });

export const PATCH = handle({ route, params: nameParams, body, once: false }, async ({ server, params, body: { values } }) =>
  ok({ keys: await server.keys.change(params.name, values) }),
);
