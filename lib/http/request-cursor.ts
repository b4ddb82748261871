/**
 * The cursor of a stream request (contract 2.4): the query beats the header by presence, and absent,
 * empty and 0 mean from the start on each way in. An event id belongs in `after_event_id` and the
 * header, a bare seq in `after_seq`; anything else stays unusable, so that the reader resets and
 * sends everything instead of skipping something.
 */
import { parseCursor } from "#protocol/cursor";

/** Never a cursor: a reader answers it with a reset. */
const UNUSABLE = "unusable";

export function runCursor(search: URLSearchParams, headers: Headers): string | null {
  const eventId = search.get("after_event_id");
  if (eventId !== null) return eventCursor(eventId);
  const seq = search.get("after_seq");
  if (seq !== null) return seqCursor(seq);
  return eventCursor(headers.get("last-event-id"));
}

export function sessionCursor(search: URLSearchParams, headers: Headers): string | null {
  return eventCursor(search.get("after_event_id") ?? headers.get("last-event-id"));
}

export function eventCursor(text: string | null): string | null {
  const cursor = parseCursor(text, { bareSeq: false });
  if (cursor.kind === "start") return null;
  return cursor.kind === "event" ? cursor.text : UNUSABLE;
}

function seqCursor(text: string): string | null {
  const cursor = parseCursor(text, { bareSeq: true });
  if (cursor.kind === "start") return null;
  return cursor.kind === "seq" ? String(cursor.seq) : UNUSABLE;
}
