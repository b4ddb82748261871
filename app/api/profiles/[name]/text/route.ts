import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { filePath, nameParams } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const route = "/api/profiles/{name}/text";

export const GET = handle({ route, params: nameParams, query: z.object({ path: filePath }) }, async ({ server, params, query }) =>
  ok(await server.profiles.readText(params.name, query.path)),
);

/** `expected_mtime` null: a new text. */
const body = z.object({ path: filePath, content: z.string(), expected_mtime: z.number().nullable() });

export const PUT = handle({ route, params: nameParams, body }, async ({ server, params, body: { path, content, expected_mtime } }) =>
  ok(await server.profiles.writeText(params.name, path, content, expected_mtime)),
);
