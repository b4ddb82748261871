import { z } from "zod";
import { queueEditSchema, queueRequestSchema } from "#protocol/control";
import { ok } from "#server/answer";
import { startKeys } from "#server/chat-start";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { taken } from "#server/outcome";
import { ofSession } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/queue", query: ofSession }, async ({ server, query }) => {
  const { session_id } = await server.sessions.read(requireId("ses", query.session_id));
  return ok({ items: await server.sessions.queue(session_id) });
});

export const POST = handle(
  { route: "/api/queue", body: queueRequestSchema.extend(ofSession.shape), keyField: "client_message_id", reserve: (server) => server.sessions.createId("msg") },
  async ({ server, body: { session_id, ...request }, reserved }) => {
    const { accepted, status, queue_id, started } = taken(await server.runtime.adapter.queueMessage(requireId("ses", session_id), { ...request, client_message_id: reserved }));
    return ok({ accepted, status, queue_id, ...(started === null ? {} : startKeys(started, null)) });
  },
);

export const PATCH = handle({ route: "/api/queue", body: queueEditSchema }, async ({ server, body }) => {
  requireId("que", body.queue_id);
  if (typeof body.before === "string") requireId("que", body.before);
  return ok({ item: taken(await server.runtime.controls.editQueue(null, body)) });
});

export const DELETE = handle({ route: "/api/queue", body: z.object({ queue_id: z.string() }) }, async ({ server, body }) => {
  taken(await server.runtime.controls.removeFromQueue(requireId("que", body.queue_id)));
  return ok({ ok: true });
});
