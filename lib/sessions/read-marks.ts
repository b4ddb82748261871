/** What a person has seen of a session, and the words they have not sent yet. Neither is an event: only their own screens care. */
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

export async function readDraft(room: Pick<SessionsRoom, "database">, sessionId: string): Promise<string> {
  const [found] = await room.database.read([{ sql: "SELECT draft FROM sessions WHERE session_id = ?", args: [sessionId] }]);
  const row = found?.rows[0];
  if (row === undefined) throw sessionNotFound();
  return String(row["draft"] ?? "");
}

/** An empty text is no draft. Throws `session_not_found`. */
export async function saveDraft(room: Pick<SessionsRoom, "database">, sessionId: string, text: string): Promise<void> {
  const { rowsAffected } = await room.database.execute({
    sql: "UPDATE sessions SET draft = ? WHERE session_id = ?",
    args: [text === "" ? null : text, sessionId],
  });
  if (rowsAffected === 0) throw sessionNotFound();
}
