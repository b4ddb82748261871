/** The answer to a start as it was given: how the run stood when it had just begun. */
import type { Journal } from "#journal/journal";
import { refused, succeeded } from "#protocol/control";
import type { Outcome, RunStartResult } from "#protocol/control";
import { eventId } from "#protocol/cursor";
import { CONTROLS_BY_STATUS } from "#protocol/status";

export async function tellStart(journal: Journal, runId: string, title: string): Promise<Outcome<RunStartResult>> {
  const [started, second] = await journal.readRunEvents(runId, 0, 2);
  if (started?.type !== "run.started") return refused("run_not_found", "The run that this request started is gone.");
  const queued = second?.type === "status" && second.payload.status === "queued";
  const status = queued ? ("queued" as const) : ("running" as const);
  const { turn_id, provider, model } = started.payload;
  return succeeded({
    ...{ run_id: runId, session_id: started.session_id, stream_id: runId },
    status,
    started_at: started.created_at,
    cursor: eventId(runId, queued ? 2 : 1),
    active_controls: [...CONTROLS_BY_STATUS[status]],
    ...{ turn_id, title, provider, model },
  });
}
