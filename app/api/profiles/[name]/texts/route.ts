import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { nameParams } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/profiles/{name}/texts", params: nameParams }, async ({ server, params }) => ok({ texts: await server.profiles.texts(params.name) }));
