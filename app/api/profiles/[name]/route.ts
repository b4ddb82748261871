import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { modelName, nameParams, providerName } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const route = "/api/profiles/{name}";

const body = z.object({ new_name: z.string().optional(), provider: providerName.nullable().optional(), model: modelName.nullable().optional() });

export const PATCH = handle({ route, params: nameParams, body }, async ({ server, params, body: changes }) =>
  ok({ profile: await server.profiles.patch(params.name, changes) }),
);

export const DELETE = handle({ route, params: nameParams }, async ({ server, params }) => {
  await server.profiles.remove(params.name);
  return ok({ ok: true });
});
