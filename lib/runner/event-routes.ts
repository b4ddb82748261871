/**
 * A run's events for other programs (contract 4): as an event stream for whoever accepts one, else as
 * a page of JSON that is answered at once, with the cursor of the next. A cursor that cannot be placed
 * gives everything and says so. An observer never holds up a run.
 */
import { parseCursor } from "#protocol/cursor";
import { AppError } from "#protocol/errors";
import type { RunEvent } from "#protocol/events";
import { parseId } from "#protocol/ids";
import { runCursor } from "#http/request-cursor";
import { eventFrame, eventStreamResponse } from "#http/sse";
import type { Journal, ResolvedCursor } from "#journal/journal";
import { jsonAnswer } from "./runner-answer";
import type { RunnerApp, RunnerParts } from "./runner-parts";

const PAGE_EVENTS = 1_000;
const PIECE_EVENTS = 100;
/** A page with large results ends early: the next one begins where it ended. */
const PAGE_CHARACTERS = 4_000_000;

export function addEventRoutes(app: RunnerApp, parts: RunnerParts): void {
  app.get("/v1/runs/:id/events", async (context) => {
    const { raw } = context.req;
    const runId = parseId("run", context.req.param("id"));
    const cursor = cursorOf(new URL(raw.url).searchParams, raw.headers);
    const resolved = runId === null ? null : await parts.journal.resolveRunCursor(runId, cursor);
    if (runId === null || resolved === null) throw new AppError("run_not_found", "There is no run with this id.");
    if (!(raw.headers.get("accept") ?? "").includes("text/event-stream")) return jsonAnswer(await readPage(parts, runId, cursor, resolved));
    if (resolved.kind === "at" && resolved.finished) return new Response(null, { status: 204 });
    return eventStreamResponse({
      gauge: parts.streams,
      clientSignal: raw.signal,
      timing: parts.timing,
      ...(resolved.kind === "reset" ? { first: [eventFrame("reset", { reason: resolved.reason })] } : {}),
      open: (signal) => parts.journal.tailRun(runId, resolved.kind === "at" ? resolved.position : 0, signal),
      hangUp: () => context.env.incoming.socket.destroy(),
      onFailure: (error) => parts.logger.error({ run_id: runId, cause: String(error) }, "an event stream's source failed"),
    });
  });
}

/** `cursor` beats the ways that the browser's stream knows. */
function cursorOf(search: URLSearchParams, headers: Headers): string | null {
  return search.has("cursor") ? search.get("cursor") : runCursor(search, headers);
}

async function readPage({ journal, database }: RunnerParts, runId: string, cursor: string | null, resolved: ResolvedCursor) {
  const after = resolved.kind === "reset" ? 0 : seqOf(cursor);
  const found = await database.execute({ sql: "SELECT last_seq FROM runs WHERE run_id = ?", args: [runId] });
  const events = await readEvents(journal, runId, after);
  const place = events.at(-1)?.seq ?? after;
  const last = Math.max(place, Number(found.rows[0]?.["last_seq"] ?? 0));
  return {
    run_id: runId,
    events,
    cursor: place === 0 ? null : `${runId}:${place}`,
    last_event_id: last === 0 ? null : `${runId}:${last}`,
    ...(resolved.kind === "reset" ? { reset: true } : {}),
  };
}

async function readEvents(journal: Journal, runId: string, after: number): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  let characters = 0;
  while (events.length < PAGE_EVENTS && characters < PAGE_CHARACTERS) {
    const piece = await journal.readRunEvents(runId, events.at(-1)?.seq ?? after, PIECE_EVENTS);
    events.push(...piece);
    characters += JSON.stringify(piece).length;
    if (piece.length < PIECE_EVENTS) break;
  }
  return events;
}

function seqOf(cursor: string | null): number {
  const parsed = parseCursor(cursor, { bareSeq: true });
  return parsed.kind === "seq" || parsed.kind === "event" ? parsed.seq : 0;
}
