/**
 * The folded view of one run (contract 3.2) and the run's status object (3.1), as every screen and
 * client gets them. `lib/fold` makes views from events; nothing else does.
 */
import { z } from "zod";
import {
  answersSchema,
  approvalChoiceSchema,
  fileChangeSchema,
  messageSchema,
  questionSchema,
  riskSchema,
  todoItemSchema,
  toolStatusSchema,
  usageSchema,
} from "./event-values";
import { controlSchema, runStatusSchema, terminalStateSchema } from "./status";

export const textPartSchema = z.object({ type: z.literal("text"), segment_id: z.string(), message_id: z.string(), text: z.string() });
export const reasoningPartSchema = z.object({
  type: z.literal("reasoning"),
  segment_id: z.string(),
  text: z.string(),
  done: z.boolean(),
  started_at: z.number(),
  ended_at: z.number().nullable(),
});
export const toolPartSchema = z.object({
  type: z.literal("tool"),
  tool_call_id: z.string(),
  message_id: z.string(),
  name: z.string(),
  title: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  status: z.union([z.enum(["pending", "running"]), toolStatusSchema]),
  stdout: z.string(),
  stderr: z.string(),
  data: z.unknown(),
  progress: z.string().nullable(),
  result: z.string().nullable(),
  exit_code: z.number().nullable(),
  duration_ms: z.number().nullable(),
  started_at: z.number().nullable(),
  truncated: z.object({ shown: z.number(), total: z.number() }).nullable(),
  files: z.array(fileChangeSchema),
  redacted: z.boolean(),
  invalid: z.string().nullable(),
});
export const approvalPartSchema = z.object({
  type: z.literal("approval"),
  approval_id: z.string(),
  tool_call_id: z.string(),
  summary: z.string(),
  command: z.string().nullable(),
  cwd: z.string().nullable(),
  risk: riskSchema,
  choices: z.array(approvalChoiceSchema),
  expires_at: z.number().nullable(),
  status: z.enum(["pending", "approved", "denied", "expired", "cancelled"]),
  choice: approvalChoiceSchema.nullable(),
  by: z.string().nullable(),
  resolved_at: z.number().nullable(),
});
export const clarifyPartSchema = z.object({
  type: z.literal("clarify"),
  clarify_id: z.string(),
  tool_call_id: z.string(),
  questions: z.array(questionSchema),
  expires_at: z.number().nullable(),
  status: z.enum(["pending", "answered", "expired", "cancelled"]),
  answers: answersSchema,
  resolved_at: z.number().nullable(),
});
export const todoPartSchema = z.object({ type: z.literal("todo"), items: z.array(todoItemSchema) });
export const steerPartSchema = z.object({
  type: z.literal("steer"),
  queue_id: z.string(),
  text: z.string(),
  applied: z.boolean(),
  /** When it was applied, else null. */
  applied_at: z.number().nullable(),
});
export const progressPartSchema = z.object({
  type: z.literal("progress"),
  kind: z.enum(["phase", "retry", "compressing", "compressed", "warning"]),
  text: z.string(),
  tool_call_id: z.string().nullable(),
  summary: z.string().nullable(),
  covers: z.array(z.string()),
});
export const errorPartSchema = z.object({ type: z.literal("error"), code: z.string(), message: z.string() });

export const viewPartSchema = z.discriminatedUnion("type", [
  textPartSchema,
  reasoningPartSchema,
  toolPartSchema,
  approvalPartSchema,
  clarifyPartSchema,
  todoPartSchema,
  steerPartSchema,
  progressPartSchema,
  errorPartSchema,
]);
export type ViewPart = z.infer<typeof viewPartSchema>;
export type PartOf<T extends ViewPart["type"]> = Extract<ViewPart, { type: T }>;

export const runErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  diagnostics: z.record(z.string(), z.unknown()),
  retryable: z.boolean(),
});

export const runViewSchema = z.object({
  run_id: z.string(),
  turn_id: z.string(),
  session_id: z.string(),
  source: z.string(),
  profile: z.string(),
  workspace: z.string(),
  provider: z.string(),
  model: z.string(),
  toolsets: z.array(z.string()),
  continues: z.string().nullable(),
  instruction: z.string().nullable(),
  status: runStatusSchema,
  reason: z.string().nullable(),
  terminal_state: terminalStateSchema.nullable(),
  message: messageSchema.nullable(),
  parts: z.array(viewPartSchema),
  usage: usageSchema.nullable(),
  controls: z.array(controlSchema),
  error: runErrorSchema.nullable(),
  /** `reason` and `stopped` of the `cancelled` event, else null. */
  cancelled: z.object({ reason: z.string(), processes: z.number(), survivors: z.number() }).nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
  started_at: z.number(),
  ended_at: z.number().nullable(),
  last_seq: z.number().int().nonnegative(),
  /** Finished model steps, counted by `usage.updated`-independent marks: one for each `tool.requested`. */
  steps: z.number().int().nonnegative(),
  /** Taken out of the transcript by retry or undo. */
  rewound: z.boolean(),
});
type Mutable = z.infer<typeof runViewSchema>;
export type RunView = Readonly<Omit<Mutable, "parts">> & { readonly parts: readonly ViewPart[] };

export const runStateSchema = z.object({
  run_id: z.string(),
  stream_id: z.string(),
  session_id: z.string(),
  status: runStatusSchema,
  last_event_id: z.string().nullable(),
  last_seq: z.number().int(),
  terminal_state: terminalStateSchema.nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
  error: runErrorSchema.nullable(),
  controls: z.array(controlSchema),
  pending_approval_id: z.string().nullable(),
  pending_clarify_id: z.string().nullable(),
  started_at: z.number(),
  ended_at: z.number().nullable(),
});
/** What `/api/chat/stream/status` answers and a poller of the runner reads. */
export type RunState = z.infer<typeof runStateSchema>;
