/** The eight methods over a runner: controls by the exchange, observing by the journal. */
import { z } from "zod";
import { controlResultSchema, queueResultSchema, refused, runStartResultSchema, succeeded } from "#protocol/control";
import type { ControlResult, GoalAction, GoalResult, Outcome } from "#protocol/control";
import { HTTP_STATUS_BY_CODE, type ErrorCode } from "#protocol/errors";
import { goalSchema } from "#protocol/session-shapes";
import { readRun } from "#sessions/run-list";
import { observeRun } from "./observe-run";
import type { RunnerExchange } from "./runner-exchange";
import { clarificationPath, runPath, sessionPath } from "./runner-paths";
import { startOverRunner, type StartParts } from "./runner-start";
import type { RuntimeAdapter } from "./runtime-adapter";

const goalAnswerSchema = controlResultSchema.extend({
  goal: goalSchema.nullable(),
  started: runStartResultSchema.nullable(),
  /** Why the goal refused, with the code that the browser's API answers with. */
  error: z
    .looseObject({ code: z.custom<ErrorCode>((code) => typeof code === "string" && Object.hasOwn(HTTP_STATUS_BY_CODE, code)), message: z.string() })
    .optional(),
});

export function createRunnerAdapter(parts: StartParts): RuntimeAdapter {
  const { exchange, journal, database } = parts;
  return {
    mode: "runner-local",
    startRun: (request) => startOverRunner(parts, request),
    observeRun: (runId, cursor, signal) => observeRun(journal, runId, cursor, signal),
    getRun: (runId) => readRun(database, runId),
    cancelRun: (runId) => control(exchange, runPath(runId, "/cancel"), {}),
    respondApproval: (runId, approvalId, choice) => control(exchange, runPath(runId, "/approval"), { approval_id: approvalId, choice }),
    respondClarify: (runId, clarifyId, answer) => control(exchange, clarificationPath(runId, clarifyId), answer),
    queueMessage: async (sessionId, request) => {
      const path = sessionPath(sessionId, "/queue");
      return path === null ? unknownSession() : exchange.ask({ method: "POST", path, body: request, answer: queueResultSchema });
    },
    updateGoal: (sessionId, action, text) => updateGoal(exchange, sessionId, action, text),
  };
}

async function control(exchange: RunnerExchange, path: string | null, body: unknown): Promise<Outcome<ControlResult>> {
  if (path === null) return refused("run_not_found", "There is no run with this id.");
  return exchange.ask({ method: "POST", path, body, answer: controlResultSchema });
}

async function updateGoal(exchange: RunnerExchange, sessionId: string, action: GoalAction, text: string | null): Promise<Outcome<GoalResult>> {
  const path = sessionPath(sessionId, "/goal");
  if (path === null) return unknownSession();
  const told = await exchange.ask({ method: "POST", path, body: { action, text }, answer: goalAnswerSchema });
  if (!told.ok) return told;
  const { goal, safe_message, started, error } = told.value;
  if (error === undefined) return succeeded({ goal, message: safe_message, started });
  const { code, message, ...details } = error;
  return refused(code, message, Object.keys(details).length === 0 ? undefined : details);
}

function unknownSession(): Outcome<never> {
  return refused("session_not_found", "There is no session with this id.");
}
