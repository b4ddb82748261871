/**
 * The end of a session. First its work ends (the owner cancels and waits), then one transaction
 * writes the last event where streams that are still open find it and takes the row away; everything
 * that belongs to it goes by cascade. The hidden sessions of runs that its runs delegated go the same
 * way, in the same transaction. A run or a child that began in between makes it fail, and the whole is
 * done again.
 */
import { z } from "zod";
import { isRefused, refuseWhen, refuseWhileActive, runActive, sessionNotFound, type SessionsRoom } from "./sessions-room";

const MOST_TRIES = 3;

export interface SessionEnding {
  /** Ends the active run and background processes of a session; throws when that did not work. */
  quiesce(sessionId: string): Promise<void>;
  /** What lies outside the database: uploads, checkpoints. Called after the session is gone. */
  removeFiles(sessionId: string): Promise<void>;
}

/** Throws `session_not_found`, `run_active` when work could not be ended, or what `quiesce` throws. */
export async function deleteSession(room: SessionsRoom, ending: SessionEnding, sessionId: string): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const family = await familyOf(room, sessionId);
    // The oldest first: whose child was stopped before it would go on, and perhaps begin another one.
    for (const member of family) await ending.quiesce(member);
    if (!(await removeRows(room, family))) continue;
    for (const member of family) await ending.removeFiles(member);
    return;
  }
  throw runActive(null);
}

/** The session and the hidden sessions that its runs began, oldest first. */
async function familyOf(room: SessionsRoom, sessionId: string): Promise<readonly string[]> {
  const [found] = await room.database.read([
    {
      sql: `WITH RECURSIVE family (session_id, depth) AS (
              SELECT session_id, 0 FROM sessions WHERE session_id = ?
              UNION SELECT s.session_id, f.depth + 1 FROM sessions s JOIN family f ON s.parent_session_id = f.session_id WHERE s.hidden = 1)
            SELECT session_id FROM family ORDER BY depth`,
      args: [sessionId],
    },
  ]);
  const rows = z.array(z.object({ session_id: z.string() })).parse(found?.rows ?? []);
  if (rows.length === 0) throw sessionNotFound();
  return rows.map((row) => row.session_id);
}

async function removeRows(room: SessionsRoom, sessionIds: readonly string[]): Promise<boolean> {
  try {
    await room.journal.transact([
      refuseWhen(
        `EXISTS (SELECT 1 FROM sessions WHERE hidden = 1 AND parent_session_id IN (SELECT value FROM json_each(?1)) AND session_id NOT IN (SELECT value FROM json_each(?1)))`,
        [JSON.stringify(sessionIds)],
      ),
      ...sessionIds.map(refuseWhileActive),
      ...sessionIds.flatMap((sessionId) => [
        { sql: "UPDATE sessions SET parent_session_id = NULL WHERE parent_session_id = ?", args: [sessionId] },
        ...room.journal.deleteSessionStatements(sessionId),
      ]),
    ]);
    return true;
  } catch (error) {
    if (isRefused(error)) return false;
    throw error;
  }
}
