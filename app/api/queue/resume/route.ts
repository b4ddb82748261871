import { ok } from "#server/answer";
import { startKeys } from "#server/chat-start";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { taken } from "#server/outcome";
import { ofSession } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const POST = handle({ route: "/api/queue/resume", body: ofSession }, async ({ server, body }) => {
  const started = taken(await server.runtime.controls.resumeQueue(requireId("ses", body.session_id)));
  return ok({ ok: true, ...(started === null ? {} : startKeys(started, null)) });
});
