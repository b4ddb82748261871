import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { countParam } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/usage", query: z.object({ days: countParam(1, 3650).optional() }) }, async ({ server, query: { days = 30 } }) =>
  ok(await server.sessions.usage(days)),
);
