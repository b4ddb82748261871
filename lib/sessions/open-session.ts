/**
 * A session as it is opened: everything of it read in one transaction, so that the views are exactly
 * the fold of the events up to `cursor`, and a stream that goes on from that cursor neither repeats
 * nor misses anything. A view is its stored snapshot carried on by the events after it: a long run is
 * never folded anew (C1).
 */
import type { InStatement } from "@libsql/client";
import { z } from "zod";
import { viewsFrom, viewStatements } from "#journal/read-views";
import { AppError } from "#protocol/errors";
import type { RunView } from "#protocol/run-view";
import { goalSchema, type OpenedSession } from "#protocol/session-shapes";
import { flagColumn, jsonColumn } from "./json-column";
import { NO_PROMPTS, pendingPrompts } from "./pending-prompts";
import { parseQueueItem, selectQueue } from "./queue-list";
import { parseSummary, SELECT_SUMMARY } from "./session-summary";
import { ACTIVE_SQL, sessionNotFound, type SessionsRoom } from "./sessions-room";

export interface OpenRequest {
  readonly sessionId: string;
  /** How many runs, 1 to 200. */
  readonly runs: number;
  /** A run of the session: only runs before it. */
  readonly before: string | null;
}

const factsSchema = z.object({ goal: jsonColumn(goalSchema).nullable(), cursor: z.string().nullable(), before_position: z.number().nullable() });
const wantedSchema = z.object({ run_id: z.string(), in_page: flagColumn });
const moreSchema = z.object({ more: flagColumn });

/** The wanted runs: the page, and the unfinished run even when the page lies before it. */
const WANTED = `
  WITH page AS (
    SELECT run_id, position FROM runs
    WHERE session_id = :session AND rewind IS NULL
      AND (:before IS NULL OR position < (SELECT position FROM runs WHERE run_id = :before AND session_id = :session))
    ORDER BY position DESC LIMIT :limit),
  wanted AS (
    SELECT run_id, position, 1 AS in_page FROM page
    UNION ALL
    SELECT run_id, position, 0 FROM runs
    WHERE session_id = :session AND status IN ${ACTIVE_SQL} AND run_id NOT IN (SELECT run_id FROM page))`;

/** Throws `session_not_found`, and `run_not_found` for a `before` that is no run of the session. */
export async function openSession(room: Pick<SessionsRoom, "database">, request: OpenRequest): Promise<OpenedSession> {
  const [summaries, facts, wanted, more, queue, ...views] = await room.database.read(statementsFor(request));
  const summaryRow = summaries?.rows[0];
  if (summaryRow === undefined) throw sessionNotFound();
  const { goal, cursor, before_position } = factsSchema.parse(facts?.rows[0]);
  if (request.before !== null && before_position === null) throw new AppError("run_not_found", "There is no such run in this session.");

  const session = parseSummary(summaryRow);
  const runs = placedViews(wanted?.rows ?? [], viewsFrom(views));
  const active = runs.find(({ view }) => view.run_id === session.active_stream_id);
  const pending = active === undefined ? NO_PROMPTS : pendingPrompts(active.view);
  return {
    session,
    runs: runs.filter(({ inPage }) => inPage).map(({ view }) => ({ ...view, parts: [...view.parts] })),
    cursor,
    active_run_id: session.active_stream_id,
    pending: { approval: pending.approvals[0] ?? null, clarify: pending.clarifications[0] ?? null },
    queue: (queue?.rows ?? []).map(parseQueueItem),
    goal: goal?.status === "cleared" ? null : goal,
    has_more: moreSchema.parse(more?.rows[0]).more,
  };
}

function statementsFor({ sessionId, runs, before }: OpenRequest): readonly InStatement[] {
  const args = { session: sessionId, before, limit: runs };
  return [
    { sql: `${SELECT_SUMMARY} WHERE s.session_id = ?`, args: [sessionId] },
    {
      sql: `SELECT goal,
              (SELECT COALESCE(run_id, session_id) || ':' || seq FROM events WHERE session_id = :session ORDER BY position DESC LIMIT 1) AS cursor,
              (SELECT position FROM runs WHERE run_id = :before AND session_id = :session) AS before_position
            FROM sessions WHERE session_id = :session`,
      args: { session: sessionId, before },
    },
    { sql: `${WANTED} SELECT run_id, in_page FROM wanted ORDER BY position`, args },
    {
      sql: `${WANTED} SELECT EXISTS (SELECT 1 FROM runs WHERE session_id = :session AND rewind IS NULL
              AND position < (SELECT MIN(position) FROM page)) AS more`,
      args,
    },
    selectQueue(sessionId),
    ...viewStatements(`${WANTED} SELECT run_id FROM wanted`, args),
  ];
}

interface PlacedView {
  readonly view: RunView;
  readonly inPage: boolean;
}

function placedViews(rows: readonly unknown[], views: ReadonlyMap<string, RunView>): readonly PlacedView[] {
  return rows.flatMap((row) => {
    const { run_id, in_page } = wantedSchema.parse(row);
    const view = views.get(run_id);
    return view === undefined ? [] : [{ view, inPage: in_page }];
  });
}
