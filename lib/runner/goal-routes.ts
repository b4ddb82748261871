/**
 * A session's goal (contract 4 and 5.6), told as a ControlResult with the goal. A refusal that comes
 * from the goal's own state is such a result too, with its code under `error`: only what is wrong with
 * the request, the session or the runner is an HTTP error.
 */
import { z } from "zod";
import { goalActionSchema } from "#protocol/control";
import type { ControlResult, GoalAction, GoalResult, Outcome } from "#protocol/control";
import { AppError } from "#protocol/errors";
import type { ErrorCode } from "#protocol/errors";
import { parseId } from "#protocol/ids";
import { parseInput } from "#http/parse-input";
import { newestOfGoal } from "./control-event";
import { readJsonBody } from "./read-json-body";
import { controlAnswer, taken } from "./runner-answer";
import type { RunnerApp, RunnerParts } from "./runner-parts";
import { startKeys } from "./start-keys";

const goalBodySchema = z
  .object({ action: goalActionSchema, text: z.string().max(100_000).nullish() })
  .refine(({ action, text }) => (action !== "set" && action !== "edit") || (text ?? "").trim() !== "", { path: ["text"], message: "is required" });

/** Refusals that say how the goal or the session stands. */
const STATUS_OF_REFUSAL: Readonly<Partial<Record<ErrorCode, ControlResult["status"]>>> = {
  no_goal: "not-active",
  run_active: "conflict",
  conflict: "conflict",
};

export function addGoalRoutes(app: RunnerApp, parts: RunnerParts): void {
  const path = "/v1/sessions/:session/goal";
  const act = async (session: string, action: GoalAction, text: string | null): Promise<Response> => {
    const sessionId = parseId("ses", session);
    if (sessionId === null) throw new AppError("session_not_found", "There is no session with this id.");
    return answer(parts, sessionId, action, await parts.open.controls.updateGoal(sessionId, action, text));
  };
  app.get(path, (context) => act(context.req.param("session"), "status", null));
  app.post(path, async (context) => {
    const { action, text } = parseInput(goalBodySchema, await readJsonBody(context));
    return act(context.req.param("session"), action, text ?? null);
  });
}

async function answer({ database }: RunnerParts, sessionId: string, action: GoalAction, outcome: Outcome<GoalResult>): Promise<Response> {
  const refusedAs = outcome.ok ? undefined : STATUS_OF_REFUSAL[outcome.error.code];
  if (!outcome.ok && refusedAs !== undefined) {
    const { code, message, details } = outcome.error;
    const refusal = { accepted: false, status: refusedAs, event_id: null, safe_message: message };
    return controlAnswer(refusal, { action, goal: null, started: null, error: { code, message, ...details } });
  }
  const { goal, message, started } = taken(outcome);
  const eventId = action === "status" ? null : await newestOfGoal(database, sessionId);
  const result: ControlResult = { accepted: true, status: "accepted", event_id: eventId, safe_message: message };
  return controlAnswer(result, { action, goal, ...(started === null ? {} : startKeys(started)), started });
}
