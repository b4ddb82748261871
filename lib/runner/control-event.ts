/** Which event a control caused, where the host's answer does not name it: asked of the journal, after the control is durable. */
import { eventId } from "#protocol/cursor";
import type { Database } from "#db/database";

/** A message became a run, words for the running turn, or an item of the queue. */
export async function causeOfMessage(
  database: Database,
  message: { readonly run_id: string; readonly session_id: string; readonly queue_id: string; readonly started_run_id: string | null },
): Promise<string | null> {
  if (message.started_run_id !== null) return eventId(message.started_run_id, 1);
  const steered = await newest(database, {
    sql: "SELECT envelope ->> '$.event_id' AS id FROM events WHERE run_id = ? AND type = 'steer.accepted' AND envelope ->> '$.payload.queue_id' = ? ORDER BY seq DESC LIMIT 1",
    args: [message.run_id, message.queue_id],
  });
  const stored = await newest(database, {
    sql: `SELECT envelope ->> '$.event_id' AS id FROM events WHERE session_id = ? AND run_id IS NULL AND type = 'queue.updated'
          AND EXISTS (SELECT 1 FROM json_each(envelope, '$.payload.items') AS item WHERE item.value ->> '$.queue_id' = ?) ORDER BY seq LIMIT 1`,
    args: [message.session_id, message.queue_id],
  });
  return steered ?? stored;
}

/** The newest word of the session's goal in its own log. */
export function newestOfGoal(database: Database, sessionId: string): Promise<string | null> {
  return newest(database, {
    sql: "SELECT envelope ->> '$.event_id' AS id FROM events WHERE session_id = ? AND run_id IS NULL AND type = 'goal.updated' ORDER BY seq DESC LIMIT 1",
    args: [sessionId],
  });
}

async function newest(database: Database, statement: { readonly sql: string; readonly args: string[] }): Promise<string | null> {
  const id = (await database.execute(statement)).rows[0]?.["id"];
  return typeof id === "string" ? id : null;
}
