/**
 * Writes whole, ended stories (copied or imported runs and their session's log) as statements of one
 * transaction. A run's events, row, view and search rows are the journal's to write, as they are for
 * a run that is live; here stand the row that they belong to and the log.
 */
import type { InStatement } from "@libsql/client";
import type { Journal } from "#journal/journal";
import type { AnyEvent, RunEvent } from "#protocol/events";
import type { RunRequest } from "#protocol/run-request";
import type { RunView } from "#protocol/run-view";

/** A run that has ended, with its own ids already. */
export interface RunStory {
  readonly view: RunView;
  readonly events: readonly RunEvent[];
  /** The number of the undo or retry that took it out, or null. */
  readonly rewind: number | null;
}

/** No process owns a run that has ended. */
const NO_OWNER = 0;

export function runStoryStatements(journal: Pick<Journal, "runStatements">, { view, events, rewind }: RunStory): readonly InStatement[] {
  return [
    {
      sql: `INSERT INTO runs (run_id, session_id, turn_id, source, request, owner_epoch, status, last_seq, rewind, started_at, position)
            VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, 0)`,
      args: [view.run_id, view.session_id, view.turn_id, view.source, JSON.stringify(requestOf(view)), NO_OWNER, view.status, rewind, view.started_at],
    },
    ...journal.runStatements({ events, view }),
  ];
}

/** Events of the session's own log, as they are; their seq must go on from the session's `log_seq`. */
export function logStoryStatements(sessionId: string, events: readonly AnyEvent[]): readonly InStatement[] {
  const last = events.at(-1);
  if (last === undefined) return [];
  return [
    {
      sql: `INSERT INTO events (session_id, run_id, seq, type, terminal, envelope)
            SELECT ?, NULL, value ->> '$.seq', value ->> '$.type', 0, value FROM json_each(?)`,
      args: [sessionId, JSON.stringify(events)],
    },
    { sql: "UPDATE sessions SET log_seq = ? WHERE session_id = ?", args: [last.seq, sessionId] },
  ];
}

function requestOf(view: RunView): RunRequest {
  return {
    session_id: view.session_id,
    message: view.message?.text ?? null,
    attachments: view.message?.attachments ?? [],
    workspace: view.workspace,
    profile: view.profile,
    provider: view.provider,
    model: view.model,
    toolsets: [...view.toolsets],
    source: view.source,
    metadata: {},
    continues: view.continues,
    instruction: view.instruction,
    reasoning: null,
  };
}
