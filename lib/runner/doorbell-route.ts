/**
 * The doorbell: an event stream with one frame for each commit, at once, so that the tails of other
 * processes look without waiting. It carries no facts: those are read from the journal. Commits that
 * come while a frame is on its way share the next one.
 */
import { eventFrame, eventStreamResponse } from "#http/sse";
import type { Journal } from "#journal/journal";
import type { RunnerApp, RunnerParts } from "./runner-parts";

export function addDoorbellRoute(app: RunnerApp, parts: RunnerParts): void {
  app.get("/v1/doorbell", (context) =>
    eventStreamResponse({
      gauge: parts.doorbells,
      clientSignal: context.req.raw.signal,
      timing: parts.timing,
      open: (signal) => rings(parts.journal, signal),
      hangUp: () => context.env.incoming.socket.destroy(),
      onFailure: (error) => parts.logger.error({ cause: String(error) }, "the doorbell's source failed"),
    }),
  );
}

async function* rings(journal: Journal, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  // Listening begins before it is said, and again before each ring is handed on: no commit is missed.
  let next = journal.changed(signal);
  yield eventFrame("listening", {});
  while (!signal.aborted) {
    await next;
    if (signal.aborted) return;
    next = journal.changed(signal);
    yield eventFrame("commit", {});
  }
}
