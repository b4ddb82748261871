/**
 * Answers to prompts (contract 3.1). A prompt is found through the session that the answer names, so an
 * answer can never reach another session's prompt; what is not pending there, for whatever reason, is
 * one and the same refusal, and nothing changes.
 */
import { z } from "zod";
import { answersSchema, approvalChoiceSchema } from "#protocol/event-values";
import type { ClarifyAnswer, ControlResult, Outcome } from "#protocol/control";
import { AppError, HTTP_STATUS_BY_CODE } from "#protocol/errors";
import { parseId } from "#protocol/ids";
import { ok, type Answer } from "./answer";
import { taken } from "./outcome";
import { invalidRequest } from "#http/parse-input";
import type { Server } from "./server";

export const approvalAnswerSchema = z.object({ session_id: z.string(), approval_id: z.string().min(1), choice: approvalChoiceSchema });
export const clarifyAnswerBodySchema = z.object({
  session_id: z.string(),
  clarify_id: z.string().min(1),
  response: z.string().max(100_000).nullish(),
  answers: answersSchema.nullish(),
});

export async function answerApproval(server: Server, body: z.infer<typeof approvalAnswerSchema>): Promise<Answer> {
  const sessionId = parseId("ses", body.session_id);
  const prompts = sessionId === null ? null : await server.sessions.prompts(sessionId);
  const prompt = prompts?.approvals.find((pending) => pending.approval_id === body.approval_id);
  if (prompt === undefined) return notPending();
  if (!prompt.choices.includes(body.choice)) throw invalidRequest([{ path: "choice", message: "was not offered" }]);
  const result = await server.runtime.adapter.respondApproval(prompt.run_id, body.approval_id, body.choice);
  return answerOf(result, { choice: body.choice });
}

export async function answerClarify(server: Server, body: z.infer<typeof clarifyAnswerBodySchema>): Promise<Answer> {
  const answer = clarifyAnswer(body);
  const sessionId = parseId("ses", body.session_id);
  const prompts = sessionId === null ? null : await server.sessions.prompts(sessionId);
  const prompt = prompts?.clarifications.find((pending) => pending.clarify_id === body.clarify_id);
  if (prompt === undefined) return notPending();
  const result = await server.runtime.adapter.respondClarify(prompt.run_id, body.clarify_id, answer);
  return answerOf(result, { response: "answers" in answer ? answer.answers : answer.response });
}

function clarifyAnswer(body: z.infer<typeof clarifyAnswerBodySchema>): ClarifyAnswer {
  if (body.answers !== null && body.answers !== undefined) return { answers: body.answers };
  if (body.response !== null && body.response !== undefined) return { response: body.response };
  throw invalidRequest([{ path: "response", message: "either response or answers is required" }]);
}

function answerOf(outcome: Outcome<ControlResult>, echo: Readonly<Record<string, unknown>>): Answer {
  // The run can have ended, or gone with its session, since its prompt was read.
  if (!outcome.ok && outcome.error.code === "run_not_found") return notPending();
  const result = taken(outcome);
  if (result.accepted) return ok({ ok: true, ...echo });
  if (result.status === "conflict") throw new AppError("conflict", result.safe_message);
  return notPending(result.safe_message);
}

function notPending(message = "This is not asked any more."): Answer {
  return { status: HTTP_STATUS_BY_CODE.not_active, json: { ok: false, error: { code: "not_active", message } } };
}
