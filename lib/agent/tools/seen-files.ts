/**
 * Which version of a file the model has seen: told by the tool that read or wrote it (`data.seen`),
 * so that it is remembered over turns and restarts like everything else, by the journal.
 */
import { z } from "zod";
import type { RunView } from "#protocol/run-view";

const seenSchema = z.object({ seen: z.object({ key: z.string(), version: z.string() }) });

/** Path in the workspace → version, as of the last of these runs; runs in another workspace say nothing of this one. */
export function seenFiles(views: readonly RunView[], workspace: string): Map<string, string> {
  const seen = new Map<string, string>();
  for (const view of views) {
    if (view.workspace !== workspace) continue;
    for (const part of view.parts) {
      if (part.type !== "tool" || part.status !== "ok") continue;
      const data = seenSchema.safeParse(part.data);
      if (data.success) seen.set(data.data.seen.key, data.data.seen.version);
    }
  }
  return seen;
}
