/** The values that events are made of: attachments, calls, risks, questions, plans, usage, queue items. */
import { z } from "zod";

/** A whole number, never negative. */
export const count = z.number().int().nonnegative();
/** Unix seconds with a fraction. */
export const seconds = z.number();

export const attachmentSchema = z.looseObject({
  attachment_id: z.string(),
  name: z.string(),
  mime: z.string(),
  size: count,
  is_image: z.boolean(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

export const messageSchema = z.looseObject({ id: z.string(), text: z.string(), attachments: z.array(attachmentSchema) });
export type UserMessage = z.infer<typeof messageSchema>;

export const toolCallSchema = z.looseObject({
  tool_call_id: z.string(),
  name: z.string(),
  title: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** The provider's own id, kept beside ours, never a key. */
  provider_call_id: z.string().nullable().optional(),
  /** True where redaction changed the arguments: the stored text is not what would run. */
  redacted: z.boolean().optional(),
  /** Why the call can't run at all (unknown tool, arguments that are no JSON object). */
  invalid: z.string().optional(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

export const toolStatusSchema = z.enum(["ok", "error", "denied", "cancelled", "interrupted"]);
export type ToolStatus = z.infer<typeof toolStatusSchema>;

export const fileChangeSchema = z.looseObject({
  path: z.string(),
  kind: z.enum(["created", "changed", "deleted"]),
  added: count,
  removed: count,
});

export const approvalChoiceSchema = z.enum(["once", "session", "always", "deny"]);
export type ApprovalChoice = z.infer<typeof approvalChoiceSchema>;
export const riskLevelSchema = z.enum(["low", "medium", "high", "critical"]);
export const riskSchema = z.looseObject({ level: riskLevelSchema, reasons: z.array(z.string()), pattern_keys: z.array(z.string()) });
export type Risk = z.infer<typeof riskSchema>;

export const questionSchema = z.looseObject({
  id: z.string(),
  question: z.string(),
  choices: z.array(z.string()),
  multi_select: z.boolean(),
  allow_free_text: z.boolean(),
});
export type Question = z.infer<typeof questionSchema>;
export const answersSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
export type Answers = z.infer<typeof answersSchema>;

export const todoItemSchema = z.looseObject({
  id: z.string(),
  text: z.string(),
  status: z.enum(["pending", "in_progress", "completed", "cancelled"]),
});
export type TodoItem = z.infer<typeof todoItemSchema>;

/** Totals of a run over its steps; unknown is null, never 0. */
export const usageSchema = z.looseObject({
  input_tokens: count.nullable(),
  output_tokens: count.nullable(),
  reasoning_tokens: count.nullable(),
  cache_read_tokens: count.nullable(),
  cache_write_tokens: count.nullable(),
  cost_usd: z.number().nullable(),
  provider: z.string(),
  model: z.string(),
  duration_ms: z.number().nonnegative(),
  context_tokens: count.nullable(),
  context_window: count.nullable(),
});
export type Usage = z.infer<typeof usageSchema>;

export const queueModeSchema = z.enum(["queue", "steer", "interrupt"]);
export type QueueMode = z.infer<typeof queueModeSchema>;
export const queueItemSchema = z.looseObject({
  queue_id: z.string(),
  text: z.string(),
  mode: queueModeSchema,
  created_at: seconds,
  attachments: z.array(attachmentSchema).optional(),
  held: z.boolean().optional(),
});
export type QueueItem = z.infer<typeof queueItemSchema>;

export const goalStatusSchema = z.enum(["active", "paused", "done", "cleared"]);
