/** Where an item of the queue goes: into the running turn, or to which rank. */
import type { Attachment } from "#protocol/event-values";
import { isActive } from "#protocol/status";
import type { LiveRun } from "./live-run";
import type { QueueRow } from "./session-rows";

/** A steer is words for the running turn: a run that has not begun, is stopping, or an attachment makes it a turn of its own. */
export function canSteer(run: LiveRun | undefined, attachments: readonly Attachment[]): boolean {
  if (run === undefined || attachments.length > 0) return false;
  const { status } = run.view();
  return isActive(status) && status !== "queued" && status !== "cancelling";
}

/** A rank between two others; null when the item to stand before is not there. */
export function rankBefore(rows: readonly QueueRow[], beforeId: string, movedId: string): number | null {
  const others = rows.filter((row) => row.queue_id !== movedId);
  const index = others.findIndex((row) => row.queue_id === beforeId);
  const next = others[index];
  if (next === undefined) return null;
  const previous = others[index - 1];
  return previous === undefined ? next.rank - 1 : (previous.rank + next.rank) / 2;
}
