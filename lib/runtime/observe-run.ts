/** Observing is the same in every mode: facts come from the journal, wherever the run is executed. */
import type { Journal } from "#journal/journal";
import type { RunEventStream } from "./runtime-adapter";

export async function observeRun(journal: Journal, runId: string, cursor: string | null, signal: AbortSignal): Promise<RunEventStream | null> {
  const resolved = await journal.resolveRunCursor(runId, cursor);
  if (resolved === null) return null;
  if (resolved.kind === "at") {
    return { reset: null, finished: resolved.finished, chunks: journal.tailRun(runId, resolved.position, signal) };
  }
  return { reset: resolved.reason, finished: false, chunks: journal.tailRun(runId, 0, signal) };
}
