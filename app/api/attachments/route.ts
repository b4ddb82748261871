import { created } from "#server/answer";
import { handle } from "#server/handle";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const POST = handle({ route: "/api/attachments", takes: "form" }, async ({ server, form }) =>
  created(await server.attachments.receive(form ?? new FormData())),
);
