/**
 * A start over a runner. The run's id is chosen here, so that a start whose answer was lost on the way
 * (the runner died, the wire was cut) can be found in the journal: what began is then told as begun.
 */
import { succeeded } from "#protocol/control";
import type { Outcome, RunStartResult, StartRunRequest } from "#protocol/control";
import { runStartResultSchema } from "#protocol/control";
import { eventId } from "#protocol/cursor";
import type { CreateId } from "#protocol/ids";
import type { RunView } from "#protocol/run-view";
import type { Database } from "#db/database";
import type { Journal } from "#journal/journal";
import type { RunnerExchange } from "./runner-exchange";

export interface StartParts {
  readonly exchange: RunnerExchange;
  readonly journal: Journal;
  readonly database: Database;
  readonly createId: CreateId;
}

export async function startOverRunner({ exchange, journal, database, createId }: StartParts, asked: StartRunRequest): Promise<Outcome<RunStartResult>> {
  const runId = asked.run_id ?? createId("run");
  const started = await exchange.ask({ method: "POST", path: "/v1/runs", body: { ...asked, run_id: runId }, answer: runStartResultSchema });
  if (started.ok || started.error.details?.["reason"] !== "not_answering") return started;
  const view = await journal.readView(runId);
  return view === null ? started : succeeded(startResult(view, await titleOf(database, view.session_id)));
}

function startResult(view: RunView, title: string): RunStartResult {
  const { run_id, session_id, status, started_at, turn_id, provider, model } = view;
  const cursor = eventId(run_id, view.last_seq);
  return { run_id, session_id, stream_id: run_id, status, started_at, cursor, active_controls: [...view.controls], turn_id, title, provider, model };
}

async function titleOf(database: Database, sessionId: string): Promise<string> {
  const { rows } = await database.execute({ sql: "SELECT title FROM sessions WHERE session_id = ?", args: [sessionId] });
  return String(rows[0]?.["title"] ?? "");
}
