import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { filePath, ofSession } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const route = "/api/files";

export const GET = handle({ route, query: ofSession.extend({ path: filePath.default("") }) }, async ({ server, query }) =>
  ok(await server.files.read(query.session_id, query.path)),
);

const body = ofSession.extend({ path: filePath.min(1), content: z.string(), expected_mtime: z.number().nullable() });

export const PUT = handle({ route, body }, async ({ server, body: { session_id, path, content, expected_mtime } }) =>
  ok(await server.files.write(session_id, path, content, expected_mtime)),
);
