/**
 * Why a runner cannot be used and what a process died of, as closed lists: health names them, refusals
 * carry them, the page has words for each. What a crash says is a sentence of ours, never output.
 */
import { z } from "zod";

export const RUNNER_FAULT_REASONS = [
  "not_configured",
  "missing",
  "crashed",
  "not_answering",
  "starting",
  "draining",
  "unhealthy",
  "wrong_key",
  "wrong_version",
  "redirected",
  "garbage",
] as const;
export type RunnerFaultReason = (typeof RUNNER_FAULT_REASONS)[number];

export const CRASH_KINDS = ["exit", "signal", "out_of_memory", "port_taken", "failed_start", "gone"] as const;
export type CrashKind = (typeof CRASH_KINDS)[number];

export const processCrashSchema = z.object({
  kind: z.enum(CRASH_KINDS),
  message: z.string().max(1000),
  /** Unix seconds. */
  at: z.number(),
});
export type ProcessCrash = z.infer<typeof processCrashSchema>;
