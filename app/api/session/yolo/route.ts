import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { taken } from "#server/outcome";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const POST = handle({ route: "/api/session/yolo", body: z.object({ session_id: z.string(), enabled: z.boolean() }) }, async ({ server, body }) =>
  ok({ yolo_enabled: taken(await server.runtime.controls.setYolo(requireId("ses", body.session_id), body.enabled)) }),
);
