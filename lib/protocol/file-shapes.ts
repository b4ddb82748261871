/** What a search and a comparison of a workspace answer (contract 3.3): made in the workspace room, read by the page. */
import { z } from "zod";
import { fileChangeSchema } from "./event-values";

export const foundPlaceSchema = z.object({
  /** Below the workspace, with forward slashes. */
  path: z.string(),
  type: z.enum(["file", "dir"]),
  /** From 1; null: the name matches, not a line. */
  line: z.int().positive().nullable(),
  /** The line, or the name. */
  text: z.string(),
});
export type FoundPlace = z.infer<typeof foundPlaceSchema>;

export const fileSearchSchema = z.object({
  results: z.array(foundPlaceSchema),
  truncated: z.boolean(),
  /** What ended the search: everything was seen, enough was found, the time or the count was used up, the pattern was too slow. */
  ended: z.enum(["complete", "enough", "limit", "too_slow"]),
});
export type FileSearch = z.infer<typeof fileSearchSchema>;

export const workspaceDiffSchema = z.object({
  /** Since the last commit, since the checkpoint of a run, or there is neither. */
  kind: z.enum(["git", "checkpoint", "none"]),
  /** Unified diff, `a/` and `b/` prefixes. */
  diff: z.string(),
  files: z.array(fileChangeSchema),
  /** True when there is more than `diff` shows. */
  truncated: z.boolean(),
});
export type WorkspaceDiff = z.infer<typeof workspaceDiffSchema>;
