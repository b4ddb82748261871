/**
 * What a run is started with: the ten fields of the RFC's StartRunRequest, resolved. It is stored
 * with the run, so that whoever owns the run later needs nothing from its own environment.
 */
import { z } from "zod";
import { attachmentSchema } from "./event-values";

export const runRequestSchema = z.object({
  session_id: z.string(),
  /** The person's words; null where nobody spoke (compression, a goal's continuation). */
  message: z.string().nullable(),
  attachments: z.array(attachmentSchema),
  workspace: z.string(),
  profile: z.string(),
  provider: z.string(),
  model: z.string(),
  toolsets: z.array(z.string()),
  source: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  /** The run that this one goes on from, or null. */
  continues: z.string().nullable(),
  /** What the model is told in place of a message (see `run.started.instruction`). */
  instruction: z.string().nullable(),
  /** `none minimal low medium high xhigh` or null for the model's default. */
  reasoning: z.string().nullable(),
});
export type RunRequest = z.infer<typeof runRequestSchema>;
