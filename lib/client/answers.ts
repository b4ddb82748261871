/** The shapes of answers that are not views (contract 3.1 to 3.4); sessions and runs are `#protocol`'s. */
import { z } from "zod";
import { attachmentSchema, queueItemSchema } from "#protocol/event-values";
import { runStateSchema } from "#protocol/run-view";
import { processCrashSchema, RUNNER_FAULT_REASONS } from "#protocol/runner-health";
import { goalSchema, pendingApprovalSchema, pendingClarifySchema, sessionSummarySchema } from "#protocol/session-shapes";

export const okSchema = z.looseObject({ ok: z.literal(true) });

export const startSchema = z.looseObject({
  stream_id: z.string(),
  session_id: z.string(),
  pending_started_at: z.number(),
  turn_id: z.string(),
  title: z.string(),
  effective_model: z.string().nullish(),
  effective_model_provider: z.string().nullish(),
});

export const cancelSchema = z.looseObject({ ok: z.boolean(), cancelled: z.boolean(), status: z.string(), stream_id: z.string() });
export const runListSchema = z.object({ runs: z.array(runStateSchema), active_run_id: z.string().nullable(), next_before: z.string().nullable() });
export const approvalPendingSchema = z.object({ pending: pendingApprovalSchema.nullable(), pending_count: z.number() });
export const clarifyPendingSchema = z.object({ pending: pendingClarifySchema.nullable(), pending_count: z.number() });

export const queueListSchema = z.object({ items: z.array(queueItemSchema) });
/** Accepted into the queue, or, on an idle session, started at once (then with the start keys). */
export const queueAddSchema = z.looseObject({
  accepted: z.boolean(),
  status: z.string(),
  queue_id: z.string().nullish(),
  stream_id: z.string().nullish(),
  session_id: z.string().nullish(),
});
export const queueItemAnswerSchema = z.object({ item: queueItemSchema });
export const queueResumeSchema = z.looseObject({ ok: z.boolean(), stream_id: z.string().nullish() });

export const goalAnswerSchema = z.looseObject({
  ok: z.boolean(),
  action: z.string(),
  goal: goalSchema.nullable(),
  message: z.string(),
  stream_id: z.string().nullish(),
});
export const yoloSchema = z.object({ yolo_enabled: z.boolean() });

export const sessionAnswerSchema = z.looseObject({ session: sessionSummarySchema });
/** Branch, retry, undo and compress: what they made or began. */
export const sessionActionSchema = z.looseObject({ session: sessionSummarySchema.nullish(), stream_id: z.string().nullish() });
export const searchSchema = z.object({
  results: z.array(z.object({ session_id: z.string(), title: z.string(), run_id: z.string(), snippet: z.string(), created_at: z.number() })),
});

const projectSchema = z.looseObject({ project_id: z.string(), name: z.string(), color: z.string().nullable() });
export type Project = z.infer<typeof projectSchema>;
export const projectListSchema = z.object({ projects: z.array(projectSchema) });
export const projectAnswerSchema = z.object({ project: projectSchema });

const profileSchema = z.looseObject({ name: z.string(), home: z.string(), provider: z.string().nullable(), model: z.string().nullable() });
export type Profile = z.infer<typeof profileSchema>;
export const profileListSchema = z.object({ profiles: z.array(profileSchema) });
export const profileAnswerSchema = z.object({ profile: profileSchema });

const modelSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  context_window: z.number().nullable(),
  supports: z.looseObject({ tools: z.boolean().nullable(), reasoning: z.boolean().nullable(), images: z.boolean().nullable() }),
});
const providerSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  available: z.boolean(),
  reason: z.string().nullish(),
  models: z.array(modelSchema),
});
export const modelListSchema = z.looseObject({
  providers: z.array(providerSchema),
  default: z.looseObject({ provider: z.string().nullable(), model: z.string().nullable() }).nullable(),
});
export type ModelList = z.infer<typeof modelListSchema>;

const commandSchema = z.looseObject({
  name: z.string(),
  aliases: z.array(z.string()),
  /** What may follow the name, e.g. `[title]`; empty for nothing. */
  args: z.string(),
  description: z.string(),
  available: z.boolean(),
  reason: z.string().nullish(),
});
export type Command = z.infer<typeof commandSchema>;
export const commandListSchema = z.object({ commands: z.array(commandSchema) });
export const commandAnswerSchema = z.looseObject({
  ok: z.boolean(),
  name: z.string(),
  message: z.string(),
  session_id: z.string().nullish(),
  stream_id: z.string().nullish(),
  data: z.unknown().optional(),
});

const fileEntrySchema = z.looseObject({
  name: z.string(),
  path: z.string(),
  type: z.string(),
  size: z.number().nullable(),
  mtime: z.number().nullable(),
});
export type FileEntry = z.infer<typeof fileEntrySchema>;
export const filesSchema = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("dir"), path: z.string(), entries: z.array(fileEntrySchema), truncated: z.boolean().optional() }),
  z.looseObject({
    type: z.literal("file"),
    path: z.string(),
    size: z.number(),
    mtime: z.number(),
    content: z.string(),
    encoding: z.enum(["utf8", "base64"]),
    truncated: z.boolean(),
  }),
]);
export type FilesAnswer = z.infer<typeof filesSchema>;
/** Writing, making, moving and deleting: what is there now; its keys are the server's to add. */
export const fileChangeAnswerSchema = z.looseObject({ path: z.string().optional(), mtime: z.number().optional() });
export const uploadSchema = attachmentSchema;

export const processListSchema = z.looseObject({
  processes: z.array(
    z.looseObject({
      process_id: z.string(),
      command: z.string(),
      started_at: z.number(),
      ended_at: z.number().nullable(),
      exit_code: z.number().nullable(),
    }),
  ),
});

const usageSums = { runs: z.number(), input_tokens: z.number().nullable(), output_tokens: z.number().nullable(), cost_usd: z.number().nullable() };
export const usageTotalsSchema = z.looseObject({
  total: z.looseObject(usageSums),
  days: z.array(z.looseObject({ day: z.string(), ...usageSums })),
  models: z.array(z.looseObject({ provider: z.string().nullable(), model: z.string().nullable(), ...usageSums })),
});

export const healthSchema = z.looseObject({
  status: z.enum(["ok", "degraded"]),
  version: z.string().optional(),
  adapter: z.string().optional(),
  runner: z
    .looseObject({
      configured: z.boolean(),
      ok: z.boolean(),
      version: z.string().nullish(),
      active_runs: z.number().nullish(),
      // A reason or a crash that a newer server knows is none here, not a broken answer.
      reason: z.enum(RUNNER_FAULT_REASONS).nullish().catch(null),
      crash: processCrashSchema.nullish().catch(null),
    })
    .optional(),
  web: z.looseObject({ crash: processCrashSchema.nullish().catch(null) }).optional(),
});
export type Health = z.infer<typeof healthSchema>;
