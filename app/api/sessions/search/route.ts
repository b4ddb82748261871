import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/sessions/search", query: z.object({ q: z.string().max(1000), session_id: z.string().optional() }) }, async ({ server, query: { q, session_id } }) =>
  ok({ results: session_id === undefined ? await server.sessions.search(q) : await server.sessions.searchIn(requireId("ses", session_id), q) }),
);
