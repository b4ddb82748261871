import { z } from "zod";
import { handle } from "#server/handle";
import { runStreamAnswer } from "#server/stream-answer";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/chat/stream", query: z.object({ stream_id: z.string() }) }, (call) =>
  runStreamAnswer(call, call.query.stream_id),
);
