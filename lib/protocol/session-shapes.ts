/** Sessions, their list rows and the opened session, as the browser API answers them (contract 3.2). */
import { z } from "zod";
import { approvalChoiceSchema, goalStatusSchema, queueItemSchema, questionSchema, riskSchema } from "./event-values";
import { runStatusSchema } from "./status";
import { runViewSchema } from "./run-view";

export const sessionUsageSchema = z.object({
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  cost_usd: z.number().nullable(),
});

export const sessionSummarySchema = z.object({
  session_id: z.string(),
  title: z.string(),
  profile: z.string(),
  project_id: z.string().nullable(),
  workspace: z.string(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  pinned: z.boolean(),
  archived: z.boolean(),
  created_at: z.number(),
  updated_at: z.number(),
  last_message_at: z.number().nullable(),
  active_stream_id: z.string().nullable(),
  status: z.union([runStatusSchema, z.literal("idle")]),
  unread: z.boolean(),
  preview: z.string().nullable(),
  parent_session_id: z.string().nullable(),
  usage: sessionUsageSchema,
  yolo: z.boolean(),
  /** Terminal state of the newest run when the person has not seen it yet, else null. */
  unseen_outcome: z.string().nullable(),
  /** Start of the active run, else null. */
  active_started_at: z.number().nullable(),
});
export type SessionSummary = z.infer<typeof sessionSummarySchema>;

export const goalSchema = z.object({
  goal: z.string(),
  status: goalStatusSchema,
  turns_used: z.number().int(),
  max_turns: z.number().int(),
  last_verdict: z.string().nullable(),
  last_reason: z.string().nullable(),
});
export type Goal = z.infer<typeof goalSchema>;

export const pendingApprovalSchema = z.looseObject({
  approval_id: z.string(),
  tool_call_id: z.string(),
  run_id: z.string(),
  summary: z.string(),
  command: z.string().nullish(),
  cwd: z.string().nullish(),
  risk: riskSchema,
  choices: z.array(approvalChoiceSchema),
  expires_at: z.number().nullable(),
});
export const pendingClarifySchema = z.looseObject({
  clarify_id: z.string(),
  tool_call_id: z.string(),
  run_id: z.string(),
  questions: z.array(questionSchema),
  question: z.string(),
  choices: z.array(z.string()),
  expires_at: z.number().nullable(),
});

export const openedSessionSchema = z.object({
  session: sessionSummarySchema,
  runs: z.array(runViewSchema),
  cursor: z.string().nullable(),
  active_run_id: z.string().nullable(),
  pending: z.object({ approval: pendingApprovalSchema.nullable(), clarify: pendingClarifySchema.nullable() }),
  queue: z.array(queueItemSchema),
  goal: goalSchema.nullable(),
  has_more: z.boolean(),
});
export type OpenedSession = z.infer<typeof openedSessionSchema>;

export const sessionListSchema = z.object({ sessions: z.array(sessionSummarySchema), next_cursor: z.string().nullable() });
export type SessionList = z.infer<typeof sessionListSchema>;
