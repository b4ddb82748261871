/**
 * The union of events, once (contract 2.1 and 2.2). Everything that a screen shows, the journal
 * keeps, or another client reads is one of these; types are inferred, JSON Schema is generated into
 * `docs/`. Payloads are loose: more keys may be added later, these never leave.
 *
 * An event has a body (type and payload, what an engine or a host says happened) and an envelope
 * (who, where, when: given by the writer that numbers it).
 */
import { z } from "zod";
import {
  answersSchema,
  approvalChoiceSchema,
  count,
  fileChangeSchema,
  goalStatusSchema,
  messageSchema,
  questionSchema,
  queueItemSchema,
  riskSchema,
  seconds,
  todoItemSchema,
  toolCallSchema,
  toolStatusSchema,
  usageSchema,
} from "./event-values";
import { controlSchema, runStatusSchema } from "./status";

function body<const T extends string, P extends z.ZodType>(type: T, payload: P) {
  return z.object({ type: z.literal(type), payload });
}

export const runEventBodySchema = z.discriminatedUnion("type", [
  body(
    "run.started",
    z.looseObject({
      message: messageSchema.nullable(),
      source: z.string(),
      profile: z.string(),
      workspace: z.string(),
      provider: z.string(),
      model: z.string(),
      toolsets: z.array(z.string()),
      turn_id: z.string(),
      controls: z.array(controlSchema),
      continues: z.string().nullable(),
      /** What the model is told where nobody spoke (a goal's continuation); not shown as the person's words. */
      instruction: z.string().optional(),
    }),
  ),
  body("status", z.looseObject({ status: runStatusSchema, controls: z.array(controlSchema), reason: z.string().optional() })),
  body(
    "token.delta",
    z.looseObject({ message_id: z.string(), segment_id: z.string(), delta: z.string(), content_type: z.literal("text/markdown") }),
  ),
  body("reasoning.delta", z.looseObject({ segment_id: z.string(), delta: z.string(), visibility: z.string(), message_id: z.string().optional() })),
  body("reasoning.done", z.looseObject({ segment_id: z.string(), text: z.string(), visibility: z.string() })),
  body(
    "progress",
    z.looseObject({
      text: z.string(),
      tool_call_id: z.string().optional(),
      kind: z.enum(["phase", "retry", "compressing", "compressed", "warning"]),
      /** With `compressed`: what stands for the runs that it covers in what the model is told. */
      summary: z.string().optional(),
      covers: z.array(z.string()).optional(),
    }),
  ),
  body("tool.requested", z.looseObject({ message_id: z.string(), calls: z.array(toolCallSchema) })),
  body(
    "tool.started",
    z.looseObject({
      tool_call_id: z.string(),
      name: z.string(),
      title: z.string(),
      arguments: z.record(z.string(), z.unknown()).nullable(),
      message_id: z.string(),
    }),
  ),
  body(
    "tool.updated",
    z.looseObject({
      tool_call_id: z.string(),
      stdout: z.string().optional(),
      stderr: z.string().optional(),
      data: z.unknown().optional(),
      progress: z.string().optional(),
    }),
  ),
  body(
    "tool.done",
    z.looseObject({
      tool_call_id: z.string(),
      result: z.string(),
      status: toolStatusSchema,
      exit_code: z.number().int().nullable().optional(),
      duration_ms: z.number().nonnegative(),
      is_error: z.boolean(),
      truncated: z.looseObject({ shown: count, total: count }).optional(),
      files: z.array(fileChangeSchema).optional(),
      data: z.unknown().optional(),
    }),
  ),
  body(
    "approval.requested",
    z.looseObject({
      approval_id: z.string(),
      tool_call_id: z.string(),
      summary: z.string(),
      command: z.string().optional(),
      cwd: z.string().optional(),
      risk: riskSchema,
      choices: z.array(approvalChoiceSchema),
      expires_at: seconds.nullable(),
    }),
  ),
  body(
    "approval.resolved",
    z.looseObject({
      approval_id: z.string(),
      choice: approvalChoiceSchema.nullable(),
      status: z.enum(["approved", "denied", "expired", "cancelled"]),
      by: z.string(),
    }),
  ),
  body(
    "clarify.requested",
    z.looseObject({
      clarify_id: z.string(),
      tool_call_id: z.string(),
      questions: z.array(questionSchema),
      question: z.string(),
      choices: z.array(z.string()),
      expires_at: seconds.nullable(),
    }),
  ),
  body(
    "clarify.resolved",
    z.looseObject({ clarify_id: z.string(), status: z.enum(["answered", "expired", "cancelled"]), answers: answersSchema }),
  ),
  body("usage.updated", usageSchema),
  body("usage.final", usageSchema),
  body("steer.accepted", z.looseObject({ queue_id: z.string(), text: z.string() })),
  body("steer.applied", z.looseObject({ queue_id: z.string(), text: z.string() })),
  body("todo.updated", z.looseObject({ items: z.array(todoItemSchema) })),
  body(
    "error",
    z.looseObject({ code: z.string(), message: z.string(), diagnostics: z.record(z.string(), z.unknown()), retryable: z.boolean() }),
  ),
  body(
    "cancelled",
    z.looseObject({
      status: z.literal("cancelled"),
      reason: z.string(),
      last_seq: count,
      stopped: z.looseObject({ processes: count, survivors: count }),
    }),
  ),
  body(
    "done",
    z.looseObject({
      status: z.literal("completed"),
      finish: z.enum(["stop", "tool_limit_reached", "length", "no_response"]),
      usage: usageSchema.nullable(),
      result: z.record(z.string(), z.unknown()).nullable(),
      last_seq: count,
    }),
  ),
]);
export type RunEventBody = z.infer<typeof runEventBodySchema>;
export type RunEventType = RunEventBody["type"];
export type RunPayload<T extends RunEventType> = Extract<RunEventBody, { type: T }>["payload"];

export const goalPayloadSchema = z.looseObject({
  goal: z.string(),
  status: goalStatusSchema,
  turns_used: count,
  max_turns: count,
  verdict: z.string().optional(),
  reason: z.string().optional(),
});

export const sessionEventBodySchema = z.discriminatedUnion("type", [
  body("title.updated", z.looseObject({ title: z.string(), source: z.enum(["user", "model", "fallback"]), confidence: z.number() })),
  body("queue.updated", z.looseObject({ items: z.array(queueItemSchema), held_reason: z.string().nullable().optional() })),
  body("goal.updated", goalPayloadSchema),
  body(
    "session.updated",
    z.looseObject({
      profile: z.string().optional(),
      project_id: z.string().nullable().optional(),
      workspace: z.string().optional(),
      provider: z.string().nullable().optional(),
      model: z.string().nullable().optional(),
      pinned: z.boolean().optional(),
      archived: z.boolean().optional(),
      yolo: z.boolean().optional(),
    }),
  ),
  body("session.rewound", z.looseObject({ run_ids: z.array(z.string()), reason: z.enum(["retry", "undo", "restore"]) })),
  body("session.deleted", z.looseObject({})),
]);
export type SessionEventBody = z.infer<typeof sessionEventBodySchema>;

const envelopeShape = {
  event_id: z.string(),
  seq: z.number().int().positive(),
  session_id: z.string(),
  created_at: seconds,
  terminal: z.boolean(),
};
export const runEnvelopeSchema = z.object({ ...envelopeShape, run_id: z.string() });
export const sessionEnvelopeSchema = z.object({ ...envelopeShape, run_id: z.null() });

export const runEventSchema = runEnvelopeSchema.and(runEventBodySchema);
export type RunEvent = z.infer<typeof runEventSchema>;
export const sessionEventSchema = sessionEnvelopeSchema.and(sessionEventBodySchema);
export type SessionEvent = z.infer<typeof sessionEventSchema>;
export type JournalEvent = RunEvent | SessionEvent;

/** An event of a type that this version does not know: kept, passed on, and only its terminal flag counts. */
export const unknownEventSchema = z.object({
  ...envelopeShape,
  run_id: z.string().nullable(),
  type: z.string(),
  payload: z.record(z.string(), z.unknown()),
});
export type UnknownEvent = z.infer<typeof unknownEventSchema>;
export type AnyEvent = JournalEvent | UnknownEvent;

export const TERMINAL_TYPES: ReadonlySet<string> = new Set(["error", "cancelled", "done"]);

const knownTypes: ReadonlySet<string> = new Set(
  [...runEventBodySchema.options, ...sessionEventBodySchema.options].map((option) => option.shape.type.value),
);

export function isKnownEvent(event: AnyEvent): event is JournalEvent {
  return knownTypes.has(event.type);
}

/** An envelope read from outside (SSE frame, export). Null when it is not even an envelope, or a known type with a wrong payload. */
export function parseEvent(value: unknown): AnyEvent | null {
  const envelope = unknownEventSchema.safeParse(value);
  if (!envelope.success) return null;
  if (!knownTypes.has(envelope.data.type)) return envelope.data;
  const known = envelope.data.run_id === null ? sessionEventSchema.safeParse(value) : runEventSchema.safeParse(value);
  return known.success ? known.data : null;
}
