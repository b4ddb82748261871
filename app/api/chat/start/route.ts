import { ok } from "#server/answer";
import { chatStartSchema, startChat } from "#server/chat-start";
import { handle } from "#server/handle";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const POST = handle(
  {
    route: "/api/chat/start",
    body: chatStartSchema,
    keyField: "client_message_id",
    reserve: (server) => server.sessions.createId("run"),
  },
  async ({ server, body, reserved }) => ok(await startChat(server, body, reserved)),
);
