import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { ofSession } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/clarify/pending", query: ofSession }, async ({ server, query }) => {
  const { session_id } = await server.sessions.read(requireId("ses", query.session_id));
  const { clarifications } = await server.sessions.prompts(session_id);
  return ok({ pending: clarifications[0] ?? null, pending_count: clarifications.length });
});
