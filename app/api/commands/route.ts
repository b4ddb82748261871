import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const route = "/api/commands";

/** With a session: what can be used in it now. */
export const GET = handle({ route, query: z.object({ session_id: z.string().optional() }) }, async ({ server, query }) => {
  const session = query.session_id === undefined ? null : await server.sessions.read(requireId("ses", query.session_id));
  return ok({ commands: server.commands.list(session !== null && session.active_stream_id !== null) });
});

export const POST = handle({ route, body: z.object({ session_id: z.string(), text: z.string().max(1_000_000) }) }, async ({ server, body }) =>
  ok({ ok: true, ...(await server.commands.run(requireId("ses", body.session_id), body.text)) }),
);
