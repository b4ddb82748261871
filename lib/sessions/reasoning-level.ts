/** How hard the model thinks in a session; null is the model's own default. */
import { sessionNotFound, type SessionsRoom } from "./sessions-room";

export const REASONING_LEVELS = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

export async function readReasoning(room: Pick<SessionsRoom, "database">, sessionId: string): Promise<string | null> {
  const [found] = await room.database.read([{ sql: "SELECT reasoning FROM sessions WHERE session_id = ?", args: [sessionId] }]);
  const row = found?.rows[0];
  if (row === undefined) throw sessionNotFound();
  const value = row["reasoning"];
  return typeof value === "string" ? value : null;
}
