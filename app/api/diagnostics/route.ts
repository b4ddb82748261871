import { z } from "zod";
import { ok } from "#server/answer";
import { readDiagnostics } from "#server/diagnostics";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/diagnostics", query: z.object({ session_id: z.string().optional() }) }, async ({ server, query }) =>
  ok(await readDiagnostics(server, query.session_id === undefined ? null : requireId("ses", query.session_id))),
);
