import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { ofSession } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/files/search", query: ofSession.extend({ q: z.string().max(1000) }) }, async ({ request, server, query }) =>
  ok(await server.files.search(query.session_id, query.q, request.signal)),
);
