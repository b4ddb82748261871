import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { filePath, ofSession } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const body = ofSession.extend({ from: filePath.min(1), to: filePath.min(1) });

export const POST = handle({ route: "/api/files/rename", body }, async ({ server, body: { session_id, from, to } }) =>
  ok(await server.files.rename(session_id, from, to)),
);
