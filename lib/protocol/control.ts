/**
 * Requests and results of starting and controlling runs (the RFC's tables; contract 3.1 and 4). The
 * adapter, the host and the runner's HTTP API speak in these, so that a run started over any of
 * them is the same run.
 */
import { z } from "zod";
import type { ErrorCode } from "./errors";
import { answersSchema, approvalChoiceSchema, queueModeSchema } from "./event-values";
import { goalSchema } from "./session-shapes";
import { controlSchema, runStatusSchema } from "./status";

/** The RFC's ten fields; all but `message` may be null or absent. Two more make a repeated POST harmless. */
export const startRunRequestSchema = z.object({
  session_id: z.string().nullish(),
  message: z.string().max(1_000_000),
  /** Attachment ids. */
  attachments: z.array(z.string()).max(50).nullish(),
  workspace: z.string().max(4_096).nullish(),
  profile: z.string().max(64).nullish(),
  provider: z.string().max(200).nullish(),
  model: z.string().max(400).nullish(),
  toolsets: z.array(z.string().max(100)).max(50).nullish(),
  source: z.string().max(100).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  continues: z.string().nullish(),
  run_id: z.string().nullish(),
  client_message_id: z.string().max(200).nullish(),
});
export type StartRunRequest = z.infer<typeof startRunRequestSchema>;

export const runStartResultSchema = z.object({
  run_id: z.string(),
  session_id: z.string(),
  stream_id: z.string(),
  status: runStatusSchema,
  started_at: z.number(),
  cursor: z.string().nullable(),
  active_controls: z.array(controlSchema),
  turn_id: z.string(),
  title: z.string(),
  provider: z.string(),
  model: z.string(),
});
export type RunStartResult = z.infer<typeof runStartResultSchema>;

export const controlStatusSchema = z.enum(["accepted", "not-active", "expired", "unsupported", "conflict", "cancelling"]);
export const controlResultSchema = z.object({
  accepted: z.boolean(),
  status: controlStatusSchema,
  /** The event that the control caused, or null. */
  event_id: z.string().nullable(),
  safe_message: z.string(),
});
/** H3: a control either changed state and recorded one event, or did neither and says why. */
export type ControlResult = z.infer<typeof controlResultSchema>;

/** A refusal that can be expected: a closed code, a safe sentence, extra keys of the error body. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Refusal };

export function succeeded<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function refused(code: ErrorCode, message: string, details?: Readonly<Record<string, unknown>>): Outcome<never> {
  return { ok: false, error: details === undefined ? { code, message } : { code, message, details } };
}

/** Either one free answer (to the first question) or answers by question id. */
export const clarifyAnswerSchema = z.union([z.object({ answers: answersSchema }), z.object({ response: z.string().max(100_000) })]);
export type ClarifyAnswer = z.infer<typeof clarifyAnswerSchema>;

export const approvalResponseSchema = z.object({ approval_id: z.string().min(1), choice: approvalChoiceSchema });

export const queueRequestSchema = z.object({
  message: z.string().max(1_000_000),
  mode: queueModeSchema,
  attachments: z.array(z.string()).max(50).nullish(),
  client_message_id: z.string().max(200).nullish(),
});
export type QueueRequest = z.infer<typeof queueRequestSchema>;
export const queueEditSchema = z.object({
  queue_id: z.string(),
  message: z.string().min(1).max(1_000_000).nullish(),
  mode: queueModeSchema.nullish(),
  before: z.string().nullish(),
});
export type QueueEdit = z.infer<typeof queueEditSchema>;

/** `started` carries the run that began at once because the session was idle. */
export const queueResultSchema = z.object({
  accepted: z.boolean(),
  status: z.enum(["queued", "started"]),
  queue_id: z.string(),
  started: runStartResultSchema.nullable(),
});
export type QueueResult = z.infer<typeof queueResultSchema>;

export const goalActionSchema = z.enum(["set", "pause", "resume", "clear", "status", "edit"]);
export type GoalAction = z.infer<typeof goalActionSchema>;
export const goalResultSchema = z.object({
  goal: goalSchema.nullable(),
  message: z.string(),
  started: runStartResultSchema.nullable(),
});
export type GoalResult = z.infer<typeof goalResultSchema>;
