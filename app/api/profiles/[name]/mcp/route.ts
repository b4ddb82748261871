import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { nameParams } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/profiles/{name}/mcp", params: nameParams }, async ({ server, params }) => ok(await server.mcp.list(params.name)));
