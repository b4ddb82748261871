/** J5: the scalars of a run's row, all of them from its view and nothing else. */
import type { RunView } from "#protocol/run-view";
import { pendingApproval, pendingClarify } from "#fold/open-work";

export type RowValue = string | number | null;

/** What changes seldom in a row, in the order of `ROW_COLUMNS`. */
export function rowScalars(view: RunView): readonly RowValue[] {
  const waits = view.status === "awaiting_approval" || view.status === "awaiting_clarify";
  return [
    view.status,
    view.terminal_state,
    waits ? (pendingApproval(view)?.approval_id ?? null) : null,
    waits ? (pendingClarify(view)?.clarify_id ?? null) : null,
    jsonOrNull(view.error),
    jsonOrNull(view.result),
    jsonOrNull(view.usage),
    view.usage?.input_tokens ?? null,
    view.usage?.output_tokens ?? null,
    view.usage?.cost_usd ?? null,
    view.ended_at,
  ];
}

const ROW_COLUMNS = [
  "status",
  "terminal_state",
  "pending_approval_id",
  "pending_clarify_id",
  "error",
  "result",
  "usage",
  "input_tokens",
  "output_tokens",
  "cost_usd",
  "ended_at",
] as const;

/** Rows whose scalars changed: `[run_id, last_seq, ...rowScalars]` each, as one JSON parameter. */
export const UPDATE_ROWS = `UPDATE runs SET last_seq = j.value ->> 1, ${ROW_COLUMNS.map((column, index) => `${column} = j.value ->> ${index + 2}`).join(", ")}
  FROM json_each(?) AS j WHERE runs.run_id = j.value ->> 0`;

/** Rows of which only the last seq moved: `[run_id, last_seq]` each. */
export const UPDATE_LAST_SEQ = "UPDATE runs SET last_seq = j.value ->> 1 FROM json_each(?) AS j WHERE runs.run_id = j.value ->> 0";

/** Runs that begin: ids. The place of a run in its session is the position of its first event. */
export const PLACE_RUNS =
  "UPDATE runs SET position = (SELECT e.position FROM events AS e WHERE e.run_id = runs.run_id AND e.seq = 1) WHERE run_id IN (SELECT value FROM json_each(?))";

/** True when two views have the same row, save its last seq. Cheap: it runs for each run of each tick. */
export function sameRow(before: RunView, after: RunView): boolean {
  return (
    before.status === after.status &&
    before.terminal_state === after.terminal_state &&
    before.usage === after.usage &&
    before.error === after.error &&
    before.result === after.result &&
    before.ended_at === after.ended_at &&
    // A prompt that came or went changes the parts while the status may stay.
    (before.parts === after.parts || (after.status !== "awaiting_approval" && after.status !== "awaiting_clarify"))
  );
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
