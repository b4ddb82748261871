/**
 * A session as the list and every answer show it: one SELECT, one shape. What follows from its runs
 * (status, usage, whether the person has seen how the last one ended) is asked of the runs each time.
 */
import { z } from "zod";
import { sessionSummarySchema, type SessionSummary } from "#protocol/session-shapes";
import { runStatusSchema } from "#protocol/status";
import { flagColumn, jsonColumn } from "./json-column";
import { ACTIVE_SQL, sessionNotFound, type SessionsRoom } from "./sessions-room";

/** `SELECT … FROM sessions s LEFT JOIN runs a`; callers add WHERE on `s`. */
export const SELECT_SUMMARY = `
  SELECT s.session_id, s.title, s.profile, s.project_id, s.workspace, s.provider, s.model, s.pinned, s.archived, s.yolo,
    s.created_at, s.updated_at, s.last_message_at, s.preview, s.parent_session_id,
    a.run_id AS active_run_id, a.status AS active_status, a.started_at AS active_started_at,
    EXISTS (SELECT 1 FROM events e WHERE e.session_id = s.session_id AND e.position > s.seen_position AND e.run_id IS NOT NULL) AS unread,
    (SELECT CASE WHEN (SELECT e.position FROM events e WHERE e.run_id = r.run_id ORDER BY e.seq DESC LIMIT 1) > s.seen_position
                 THEN r.terminal_state END
       FROM runs r WHERE r.session_id = s.session_id AND r.rewind IS NULL ORDER BY r.position DESC LIMIT 1) AS unseen_outcome,
    (SELECT json_array(SUM(r.input_tokens), SUM(r.output_tokens), SUM(r.cost_usd)) FROM runs r WHERE r.session_id = s.session_id) AS usage
  FROM sessions s LEFT JOIN runs a ON a.session_id = s.session_id AND a.status IN ${ACTIVE_SQL}`;

const usageColumn = jsonColumn(z.tuple([z.number().nullable(), z.number().nullable(), z.number().nullable()]));

const rowSchema = sessionSummarySchema
  .omit({ active_stream_id: true, status: true, usage: true })
  .extend({
    pinned: flagColumn,
    archived: flagColumn,
    yolo: flagColumn,
    unread: flagColumn,
    active_run_id: z.string().nullable(),
    active_status: runStatusSchema.nullable(),
    usage: usageColumn,
  });

export function parseSummary(row: unknown): SessionSummary {
  const { active_run_id, active_status, usage, ...facts } = rowSchema.parse(row);
  const [input_tokens, output_tokens, cost_usd] = usage;
  return { ...facts, active_stream_id: active_run_id, status: active_status ?? "idle", usage: { input_tokens, output_tokens, cost_usd } };
}

export async function findSummary(room: Pick<SessionsRoom, "database">, sessionId: string): Promise<SessionSummary | null> {
  const [found] = await room.database.read([{ sql: `${SELECT_SUMMARY} WHERE s.session_id = ?`, args: [sessionId] }]);
  const row = found?.rows[0];
  return row === undefined ? null : parseSummary(row);
}

/** Throws `session_not_found`. */
export async function readSummary(room: Pick<SessionsRoom, "database">, sessionId: string): Promise<SessionSummary> {
  const summary = await findSummary(room, sessionId);
  if (summary === null) throw sessionNotFound();
  return summary;
}
