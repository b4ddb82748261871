import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { taken } from "#server/outcome";
import { idParams } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const route = "/api/sessions/{id}/processes";

export const GET = handle({ route, params: idParams }, async ({ server, params }) => {
  const { session_id } = await server.sessions.read(requireId("ses", params.id));
  return ok({ processes: taken(await server.runtime.controls.listProcesses(session_id)) });
});

export const DELETE = handle({ route, params: idParams, body: z.object({ process_id: z.string().max(100) }) }, async ({ server, params, body }) => {
  taken(await server.runtime.controls.stopProcess(requireId("ses", params.id), body.process_id));
  return ok({ ok: true });
});
