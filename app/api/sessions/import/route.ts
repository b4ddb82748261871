import { z } from "zod";
import { created } from "#server/answer";
import { handle } from "#server/handle";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const POST = handle({ route: "/api/sessions/import", body: z.unknown(), size: "upload" }, async ({ server, body }) =>
  created({ session: await server.sessions.importFile(body) }),
);
