/**
 * What the sessions room works with. Reads go to the database in one read transaction each; every
 * write goes through the journal, so that what it changes is published with its commit.
 */
import type { InStatement } from "@libsql/client";
import type { Database } from "#db/database";
import { constraintOf } from "#db/database-error";
import type { Journal } from "#journal/journal";
import type { Redactor } from "#journal/redact";
import { AppError } from "#protocol/errors";
import type { CreateId } from "#protocol/ids";
import { ACTIVE_STATUSES } from "#protocol/status";

export interface SessionsRoom {
  readonly database: Database;
  readonly journal: Journal;
  readonly createId: CreateId;
  /** Unix seconds with a fraction. */
  readonly now: () => number;
  /** What comes from outside is stored without known secrets and secret shapes (J6). */
  readonly redactor: Redactor;
}

/** The unfinished statuses, in the words and order of the database's own index on them. */
export const ACTIVE_SQL = `(${ACTIVE_STATUSES.map((status) => `'${status}'`).join(", ")})`;

/**
 * A condition of the transaction it stands in: where `condition` (SQL) holds, the row it wants cannot
 * be, and everything is undone. `isRefused` knows that failure from others.
 */
export function refuseWhen(condition: string, args: readonly (string | number | null)[]): InStatement {
  return { sql: `INSERT INTO meta (key, value) SELECT 'refused', NULL WHERE ${condition}`, args: [...args] };
}

export function isRefused(error: unknown): boolean {
  return constraintOf(error) === "meta.value";
}

/** Refuses while a run of the session has not ended. */
export function refuseWhileActive(sessionId: string): InStatement {
  return refuseWhen(`EXISTS (SELECT 1 FROM runs WHERE session_id = ? AND status IN ${ACTIVE_SQL})`, [sessionId]);
}

export function sessionNotFound(): AppError {
  return new AppError("session_not_found", "There is no such session.");
}

/** The unfinished run of the session, or null. */
export async function activeRunId(room: Pick<SessionsRoom, "database">, sessionId: string): Promise<string | null> {
  const [found] = await room.database.read([
    { sql: `SELECT run_id FROM runs WHERE session_id = ? AND status IN ${ACTIVE_SQL}`, args: [sessionId] },
  ]);
  const row = found?.rows[0];
  return row === undefined ? null : String(row["run_id"]);
}

export function runActive(activeStreamId: string | null): AppError {
  return new AppError("run_active", "This session is at work. Wait for it, or stop it.", { active_stream_id: activeStreamId });
}
