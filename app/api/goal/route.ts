import { z } from "zod";
import { goalActionSchema, type GoalAction } from "#protocol/control";
import { ok, type Answer } from "#server/answer";
import { startKeys } from "#server/chat-start";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { taken } from "#server/outcome";
import { ofSession } from "#server/route-inputs";
import type { Server } from "#server/server";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

async function answerGoal(server: Server, sessionId: string, action: GoalAction, text: string | null): Promise<Answer> {
  const { goal, message, started } = taken(await server.runtime.adapter.updateGoal(requireId("ses", sessionId), action, text));
  return ok({ ok: true, action, goal, message, ...(started === null ? {} : startKeys(started, null)) });
}

export const GET = handle({ route: "/api/goal", query: ofSession }, ({ server, query }) => answerGoal(server, query.session_id, "status", null));

const body = z
  .object({ session_id: z.string(), action: goalActionSchema, text: z.string().max(100_000).nullish() })
  .refine(({ action, text }) => (action !== "set" && action !== "edit") || (text ?? "").trim() !== "", { path: ["text"], message: "is required" });

export const POST = handle({ route: "/api/goal", body }, ({ server, body: { session_id, action, text } }) =>
  answerGoal(server, session_id, action, text ?? null),
);
