/**
 * Undo and restore. A run that is taken out stays in the journal with the number of the undo that
 * took it (rising over the session), so restore knows what the last one was; a run that began since
 * closes that way. A compression is a border: the runs before it are in its summary, so neither they
 * nor it can be taken out one by one.
 */
import { z } from "zod";
import { AppError } from "#protocol/errors";
import type { SessionSummary } from "#protocol/session-shapes";
import { flagColumn } from "./json-column";
import { readSummary } from "./session-summary";
import { activeRunId, isRefused, refuseWhen, refuseWhileActive, runActive, type SessionsRoom } from "./sessions-room";

export interface Rewound {
  readonly session: SessionSummary;
  /** Newest first. */
  readonly run_ids: readonly string[];
}

const runSchema = z.object({ run_id: z.string(), compressed: flagColumn });

/** Takes the last `count` runs out, or what there is. Throws `session_not_found`, `run_active`, `conflict`. */
export async function undoRuns(room: SessionsRoom, sessionId: string, count: number): Promise<Rewound> {
  await requireIdle(room, sessionId);
  const [found] = await room.database.read([
    {
      sql: `SELECT run_id, source = 'compress' AND terminal_state = 'completed' AS compressed
            FROM runs WHERE session_id = ? AND rewind IS NULL ORDER BY position DESC LIMIT ?`,
      args: [sessionId, count],
    },
  ]);
  const newest = z.array(runSchema).parse(found?.rows ?? []);
  const border = newest.findIndex((run) => run.compressed);
  const runIds = (border === -1 ? newest : newest.slice(0, border)).map((run) => run.run_id);
  if (runIds.length === 0) throw new AppError("conflict", border === 0 ? "Undo does not go back over a compression." : "There is nothing to undo.");
  await rewind(room, sessionId, runIds, "undo");
  return { session: await readSummary(room, sessionId), run_ids: runIds };
}

/** Brings back what the last undo took, as long as nothing ran since. Throws `session_not_found`, `run_active`, `conflict`. */
export async function restoreRuns(room: SessionsRoom, sessionId: string): Promise<Rewound> {
  await requireIdle(room, sessionId);
  const [found] = await room.database.read([
    {
      sql: `WITH last AS (SELECT MAX(rewind) AS number FROM runs WHERE session_id = :session)
            SELECT r.run_id, EXISTS (SELECT 1 FROM runs n WHERE n.session_id = :session AND n.rewind IS NULL AND n.position > r.position) AS ran_since
            FROM runs r, last WHERE r.session_id = :session AND r.rewind = last.number ORDER BY r.position DESC`,
      args: { session: sessionId },
    },
  ]);
  const runs = z.array(z.object({ run_id: z.string(), ran_since: flagColumn })).parse(found?.rows ?? []);
  if (runs.length === 0 || runs.some((run) => run.ran_since)) throw new AppError("conflict", "There is nothing to restore.");
  const runIds = runs.map((run) => run.run_id);
  await rewind(room, sessionId, runIds, "restore");
  return { session: await readSummary(room, sessionId), run_ids: runIds };
}

async function requireIdle(room: SessionsRoom, sessionId: string): Promise<void> {
  const { active_stream_id } = await readSummary(room, sessionId);
  if (active_stream_id !== null) throw runActive(active_stream_id);
}

/** One transaction; a run that began in between, or another undo that was quicker, makes it change nothing. */
async function rewind(room: SessionsRoom, sessionId: string, runIds: readonly string[], reason: "undo" | "restore"): Promise<void> {
  const ids = JSON.stringify(runIds);
  const undo = reason === "undo";
  const expected = undo ? "rewind IS NULL" : "rewind IS NOT NULL";
  try {
    await room.journal.transact([
      refuseWhileActive(sessionId),
      refuseWhen(`(SELECT COUNT(*) FROM runs WHERE session_id = ? AND run_id IN (SELECT value FROM json_each(?)) AND ${expected}) <> ?`, [sessionId, ids, runIds.length]),
      // What stands behind the newest of these would end up in front of them.
      refuseWhen(
        `EXISTS (SELECT 1 FROM runs WHERE session_id = ? AND rewind IS NULL AND run_id NOT IN (SELECT value FROM json_each(?))
           AND position > (SELECT MIN(position) FROM runs WHERE run_id IN (SELECT value FROM json_each(?))))`,
        [sessionId, ids, ids],
      ),
      {
        sql: `UPDATE runs SET rewind = ${undo ? "(SELECT COALESCE(MAX(rewind), 0) + 1 FROM runs WHERE session_id = :session)" : "NULL"}
              WHERE session_id = :session AND run_id IN (SELECT value FROM json_each(:ids))`,
        args: { session: sessionId, ids },
      },
      ...room.journal.sessionLogStatements(sessionId, { type: "session.rewound", payload: { run_ids: [...runIds], reason } }),
      previewStatement(sessionId),
    ]);
  } catch (error) {
    if (!isRefused(error)) throw error;
    const active = await activeRunId(room, sessionId);
    throw active === null ? new AppError("conflict", "Somebody else changed this session at the same moment. Try again.") : runActive(active);
  }
}

/** The list must not go on showing what was taken out (B259). */
function previewStatement(sessionId: string): { readonly sql: string; readonly args: string[] } {
  return {
    sql: `UPDATE sessions SET preview = (
            SELECT substr(COALESCE(NULLIF(json_extract(e.envelope, '$.payload.message.text'), ''), ''), 1, 200)
            FROM runs r JOIN events e ON e.run_id = r.run_id AND e.seq = 1
            WHERE r.session_id = sessions.session_id AND r.rewind IS NULL AND json_extract(e.envelope, '$.payload.message') IS NOT NULL
            ORDER BY r.position DESC LIMIT 1)
          WHERE session_id = ?`,
    args: [sessionId],
  };
}
