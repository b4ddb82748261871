import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { ofSession } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/files/diff", query: ofSession }, async ({ request, server, query }) =>
  ok(await server.files.diff(query.session_id, request.signal)),
);
