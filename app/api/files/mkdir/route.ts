import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { filePath, ofSession } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const POST = handle({ route: "/api/files/mkdir", body: ofSession.extend({ path: filePath.min(1) }) }, async ({ server, body }) =>
  ok(await server.files.makeFolder(body.session_id, body.path)),
);
