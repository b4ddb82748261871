/** What a person has seen of a session. No event: only their own screens care. */
import { parseCursor } from "#protocol/cursor";
import { sessionNotFound, type SessionsRoom } from "./sessions-room";

/** Marks everything up to an event (null: all there is) as seen; a mark never goes back. Throws `session_not_found`. */
export async function markSeen(room: SessionsRoom, sessionId: string, eventId: string | null): Promise<void> {
  const cursor = parseCursor(eventId, { bareSeq: false });
  const [owner, seq] = cursor.kind === "event" ? [cursor.owner, cursor.seq] : [null, null];
  const [updated] = await room.journal.transact([
    {
      sql: `UPDATE sessions SET seen_position = MAX(seen_position, COALESCE(
              CASE WHEN :owner IS NULL THEN (SELECT MAX(position) FROM events WHERE session_id = :session)
                   WHEN :owner = :session THEN (SELECT position FROM events WHERE session_id = :session AND run_id IS NULL AND seq = :seq)
                   ELSE (SELECT position FROM events WHERE run_id = :owner AND session_id = :session AND seq = :seq) END, 0))
            WHERE session_id = :session`,
      args: { session: sessionId, owner, seq },
    },
  ]);
  if (updated?.changes === 0) throw sessionNotFound();
}
