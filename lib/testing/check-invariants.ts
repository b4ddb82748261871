/**
 * The invariants of the journal and the host, asked of a database after the fact (design section 4).
 * Answers what is broken, in words; an empty list is a pass. Used by random and kill trials alike.
 */
import { isDeepStrictEqual } from "node:util";
import type { Database } from "#db/database";
import { foldRunAll } from "#fold/fold-run";
import type { Journal } from "#journal/journal";
import type { RunEvent } from "#protocol/events";
import { isActive } from "#protocol/status";
import type { RunView } from "#protocol/run-view";

const EVENT_LIMIT = 1_000_000;

export interface InvariantInput {
  readonly database: Database;
  readonly journal: Journal;
  /** Runs may still be unfinished (they wait for a person). */
  readonly unfinishedAllowed: boolean;
}

export async function findBrokenInvariants(input: InvariantInput): Promise<readonly string[]> {
  const { rows } = await input.database.execute("SELECT run_id, status, terminal_state, last_seq FROM runs ORDER BY position");
  const broken: string[] = [...(await brokenSessions(input.database))];
  for (const row of rows) {
    const runId = String(row["run_id"]);
    const events = await input.journal.readRunEvents(runId, 0, EVENT_LIMIT);
    broken.push(...brokenStory(runId, events, input.unfinishedAllowed));
    const view = foldRunAll(null, events);
    const stored = await input.journal.readView(runId);
    if (!isDeepStrictEqual(stored, view)) broken.push(`C1 ${runId}: the stored view is not the fold of its events: ${JSON.stringify(stored)} / ${JSON.stringify(view)}`);
    if (row["status"] !== view.status || row["last_seq"] !== view.last_seq || row["terminal_state"] !== view.terminal_state) {
      broken.push(`J5 ${runId}: the row says ${String(row["status"])} at ${String(row["last_seq"])}, the events ${view.status} at ${view.last_seq}`);
    }
    broken.push(...openThings(view));
  }
  return broken;
}

function brokenStory(runId: string, events: readonly RunEvent[], unfinishedAllowed: boolean): readonly string[] {
  const broken: string[] = [];
  events.forEach((event, index) => {
    if (event.seq !== index + 1) broken.push(`J1 ${runId}: seq ${event.seq} stands at place ${index + 1}`);
    if (event.event_id !== `${runId}:${event.seq}`) broken.push(`J2 ${runId}: ${event.event_id} is not its number`);
  });
  if (events[0]?.type !== "run.started") broken.push(`J1 ${runId}: begins with ${events[0]?.type ?? "nothing"}`);
  const ends = events.filter((event) => event.terminal).length;
  if (ends > 1) broken.push(`J4 ${runId}: ${ends} terminal events`);
  if (ends === 0 && !unfinishedAllowed) broken.push(`H2 ${runId}: has no terminal event`);
  if (ends === 1 && events.at(-1)?.terminal !== true) broken.push(`J3 ${runId}: something follows the terminal event`);
  const resolved = events.flatMap((event) => (event.type === "approval.resolved" ? [event.payload.approval_id] : event.type === "clarify.resolved" ? [event.payload.clarify_id] : []));
  if (new Set(resolved).size !== resolved.length) broken.push(`H3 ${runId}: a prompt was resolved twice`);
  const done = events.flatMap((event) => (event.type === "tool.done" ? [event.payload.tool_call_id] : []));
  if (new Set(done).size !== done.length) broken.push(`H3 ${runId}: a call was done twice`);
  if (events.filter((event) => event.type === "status" && event.payload.status === "cancelling").length > 1) broken.push(`H4 ${runId}: cancelled twice`);
  return broken;
}

function openThings(view: RunView): readonly string[] {
  if (isActive(view.status)) return [];
  return view.parts.flatMap((part) => {
    if (part.type === "tool" && (part.status === "pending" || part.status === "running")) return [`H2 ${view.run_id}: ended with an open call`];
    if ((part.type === "approval" || part.type === "clarify") && part.status === "pending") return [`H2 ${view.run_id}: ended with an open prompt`];
    return [];
  });
}

async function brokenSessions(database: Database): Promise<readonly string[]> {
  const logs = await database.execute("SELECT session_id, COUNT(*) AS n, MAX(seq) AS last, (SELECT log_seq FROM sessions s WHERE s.session_id = e.session_id) AS told FROM events e WHERE run_id IS NULL GROUP BY session_id");
  const broken = logs.rows.flatMap((row) => (row["n"] === row["last"] && row["last"] === row["told"] ? [] : [`J1 ${String(row["session_id"])}: its log has ${String(row["n"])} events up to ${String(row["last"])}`]));
  const keys = await database.execute("PRAGMA foreign_key_check");
  return keys.rows.length === 0 ? broken : [...broken, `J5: ${keys.rows.length} rows point nowhere`];
}
