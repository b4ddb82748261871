import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { filePath, ofSession } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const body = ofSession.extend({ path: filePath.min(1), recursive: z.boolean().optional() });

export const POST = handle({ route: "/api/files/delete", body }, async ({ server, body: { session_id, path, recursive = false } }) => {
  await server.files.remove(session_id, path, recursive);
  return ok({ ok: true });
});
