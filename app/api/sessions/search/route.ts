import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/sessions/search", query: z.object({ q: z.string().max(1000) }) }, async ({ server, query }) =>
  ok({ results: await server.sessions.search(query.q) }),
);
