/** Runs as status objects (contract 3.1), one or all of a session, newest first; from their rows, so that a poll costs the same however long the answer is. */
import { z } from "zod";
import type { Database } from "#db/database";
import { eventId } from "#protocol/cursor";
import { AppError } from "#protocol/errors";
import { runErrorSchema, type RunState } from "#protocol/run-view";
import { CONTROLS_BY_STATUS, runStatusSchema, terminalStateSchema } from "#protocol/status";
import { jsonColumn } from "./json-column";
import { ACTIVE_SQL, sessionNotFound, type SessionsRoom } from "./sessions-room";

export interface RunPage {
  readonly runs: readonly RunState[];
  readonly active_run_id: string | null;
  /** The `before` of the next page, or null. */
  readonly next_before: string | null;
}

const rowSchema = z.object({
  run_id: z.string(),
  session_id: z.string(),
  status: runStatusSchema,
  last_seq: z.number(),
  terminal_state: terminalStateSchema.nullable(),
  result: jsonColumn(z.record(z.string(), z.unknown()).nullable()).nullable(),
  error: jsonColumn(runErrorSchema.nullable()).nullable(),
  pending_approval_id: z.string().nullable(),
  pending_clarify_id: z.string().nullable(),
  started_at: z.number(),
  ended_at: z.number().nullable(),
});

const COLUMNS = "run_id, session_id, status, last_seq, terminal_state, result, error, pending_approval_id, pending_clarify_id, started_at, ended_at";

/** Null for an unknown run. */
export async function readRun(database: Database, runId: string): Promise<RunState | null> {
  const { rows } = await database.execute({ sql: `SELECT ${COLUMNS} FROM runs WHERE run_id = ?`, args: [runId] });
  return rows[0] === undefined ? null : toRunState(rows[0]);
}

/** Throws `session_not_found`, and `run_not_found` for a `before` that is no run of the session. */
export async function listRuns(
  room: Pick<SessionsRoom, "database">,
  request: { readonly sessionId: string; readonly limit: number; readonly before: string | null },
): Promise<RunPage> {
  const { sessionId, limit, before } = request;
  const [facts, found] = await room.database.read([
    {
      sql: `SELECT (SELECT run_id FROM runs WHERE session_id = :session AND status IN ${ACTIVE_SQL}) AS active,
              (SELECT position FROM runs WHERE run_id = :before AND session_id = :session) AS before_position
            FROM sessions WHERE session_id = :session`,
      args: { session: sessionId, before },
    },
    {
      sql: `SELECT ${COLUMNS} FROM runs WHERE session_id = :session
              AND (:before IS NULL OR position < (SELECT position FROM runs WHERE run_id = :before AND session_id = :session))
            ORDER BY position DESC LIMIT :limit`,
      args: { session: sessionId, before, limit: limit + 1 },
    },
  ]);
  const fact = facts?.rows[0];
  if (fact === undefined) throw sessionNotFound();
  if (before !== null && fact["before_position"] === null) throw new AppError("run_not_found", "There is no such run in this session.");
  const states = (found?.rows ?? []).map(toRunState);
  const runs = states.slice(0, limit);
  const active = fact["active"];
  return {
    runs,
    active_run_id: typeof active === "string" ? active : null,
    next_before: states.length > limit ? (runs.at(-1)?.run_id ?? null) : null,
  };
}

function toRunState(row: unknown): RunState {
  const run = rowSchema.parse(row);
  return {
    ...run,
    stream_id: run.run_id,
    last_event_id: run.last_seq === 0 ? null : eventId(run.run_id, run.last_seq),
    controls: [...CONTROLS_BY_STATUS[run.status]],
  };
}
