/**
 * The frames of session streams: everything of a session from a cursor on, and `event: sessions` (no
 * id, not journalled) when the session list changed. The page's own stream carries several sessions
 * in one connection, each with its own cursor; what happened to one of them (its cursor was not
 * usable, it is not there) is a frame that names it, never the end of the others.
 */
import type { Journal, ResolvedCursor } from "#journal/journal";
import type { ListWatch } from "./list-watch";
import { mergeStreams } from "#http/merge-streams";
import { eventFrame, type StreamPiece } from "#http/sse";

export interface StreamSources {
  readonly journal: Pick<Journal, "tailSession" | "resolveSessionCursor">;
  readonly listWatch: ListWatch;
}

/** A session and where its reader stands, as the page names it: `<session_id>~<cursor>`. */
export interface StreamTarget {
  readonly sessionId: string;
  readonly cursor: string | null;
}

/** What leaves first when a cursor was not usable: everything from the start follows. */
export function resetPieces(reason: string | null): readonly StreamPiece[] {
  return reason === null ? [] : [eventFrame("reset", { reason })];
}

/** `resolved` comes from the route, which answers an unknown session before a stream begins. */
export function sessionPieces(sources: StreamSources, sessionId: string, resolved: ResolvedCursor, signal: AbortSignal): AsyncIterable<StreamPiece> {
  const position = resolved.kind === "at" ? resolved.position : 0;
  return mergeStreams([sources.journal.tailSession(sessionId, position, signal), listPieces(sources, signal)], 0);
}

export function severalSessionPieces(sources: StreamSources, targets: readonly StreamTarget[], signal: AbortSignal): AsyncIterable<StreamPiece> {
  return mergeStreams([listPieces(sources, signal), ...targets.map((target) => targetPieces(sources, target, signal))], 0);
}

async function* targetPieces(sources: StreamSources, target: StreamTarget, signal: AbortSignal): AsyncGenerator<StreamPiece> {
  const { sessionId, cursor } = target;
  const resolved = await sources.journal.resolveSessionCursor(sessionId, cursor);
  if (resolved === null) {
    yield eventFrame("gone", { session_id: sessionId });
    return;
  }
  if (resolved.kind === "reset") yield eventFrame("reset", { session_id: sessionId, reason: resolved.reason });
  yield* sources.journal.tailSession(sessionId, resolved.kind === "at" ? resolved.position : 0, signal);
}

async function* listPieces(sources: StreamSources, signal: AbortSignal): AsyncGenerator<StreamPiece> {
  for await (const version of sources.listWatch.changes(signal)) yield eventFrame("sessions", { version });
}
