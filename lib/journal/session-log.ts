/**
 * Statements of a session's own log. The database gives the number, so that two writers never make
 * the same: the session's counter moves and the event is built from it, in one transaction.
 */
import type { InStatement } from "@libsql/client";
import type { SessionEventBody } from "#protocol/events";

const NEXT_NUMBER = "UPDATE sessions SET log_seq = log_seq + 1 WHERE session_id = ?";
const INSERT_EVENT = `INSERT INTO events (session_id, run_id, seq, type, terminal, envelope)
  SELECT session_id, NULL, log_seq, :type, 0, json_object(
    'event_id', session_id || ':' || log_seq, 'seq', log_seq, 'run_id', NULL, 'session_id', session_id,
    'type', :type, 'created_at', :created_at, 'terminal', json('false'), 'payload', json(:payload))
  FROM sessions WHERE session_id = :session_id`;

/** Appends one event; nothing when there is no such session. */
export function sessionLogStatements(sessionId: string, body: SessionEventBody, createdAt: number): readonly InStatement[] {
  return [
    { sql: NEXT_NUMBER, args: [sessionId] },
    { sql: INSERT_EVENT, args: { type: body.type, created_at: createdAt, payload: JSON.stringify(body.payload), session_id: sessionId } },
  ];
}

/** Deletes a session and everything of it; its last event is kept for streams that are open. */
export function deleteSessionStatements(sessionId: string, createdAt: number): readonly InStatement[] {
  return [
    ...sessionLogStatements(sessionId, { type: "session.deleted", payload: {} }, createdAt),
    {
      sql: `INSERT OR REPLACE INTO tombstones (session_id, envelope, deleted_at)
            SELECT session_id, envelope, ? FROM events WHERE session_id = ? AND run_id IS NULL AND type = 'session.deleted' ORDER BY seq DESC LIMIT 1`,
      args: [createdAt, sessionId],
    },
    { sql: "DELETE FROM tombstones WHERE deleted_at < ?", args: [createdAt - 86_400] },
    { sql: "DELETE FROM sessions WHERE session_id = ?", args: [sessionId] },
  ];
}
