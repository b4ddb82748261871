/** Sessions follow their profile: a rename takes them along, a deletion leaves them with the default one. */
import { AppError } from "#protocol/errors";
import { ACTIVE_SQL, isRefused, refuseWhen, type SessionsRoom } from "./sessions-room";

/** One transaction, with the event in each session's log. Throws `run_active` while one of them is at work. */
export async function moveSessionsToProfile(room: SessionsRoom, from: string, to: string): Promise<void> {
  const [members] = await room.database.read([{ sql: "SELECT session_id FROM sessions WHERE profile = ?", args: [from] }]);
  const sessionIds = (members?.rows ?? []).map((row) => String(row["session_id"]));
  try {
    await room.journal.transact([
      refuseWhen(`EXISTS (SELECT 1 FROM runs r JOIN sessions s ON s.session_id = r.session_id WHERE s.profile = ? AND r.status IN ${ACTIVE_SQL})`, [from]),
      { sql: "UPDATE sessions SET profile = ? WHERE profile = ?", args: [to, from] },
      ...sessionIds.flatMap((sessionId) => room.journal.sessionLogStatements(sessionId, { type: "session.updated", payload: { profile: to } })),
    ]);
  } catch (error) {
    if (isRefused(error)) throw new AppError("run_active", "A session of this profile is at work. Wait for it, or stop it.");
    throw error;
  }
}
