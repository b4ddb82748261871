/** A view as the run's status object: what `/api/chat/stream/status` answers and a poller reads. */
import { eventId } from "#protocol/cursor";
import type { RunState, RunView } from "#protocol/run-view";
import { pendingApproval, pendingClarify } from "./open-work";

export function toRunState(view: RunView): RunState {
  return {
    run_id: view.run_id,
    stream_id: view.run_id,
    session_id: view.session_id,
    status: view.status,
    last_event_id: view.last_seq === 0 ? null : eventId(view.run_id, view.last_seq),
    last_seq: view.last_seq,
    terminal_state: view.terminal_state,
    result: view.result,
    error: view.error,
    controls: view.controls,
    pending_approval_id: pendingApproval(view)?.approval_id ?? null,
    pending_clarify_id: pendingClarify(view)?.clarify_id ?? null,
    started_at: view.started_at,
    ended_at: view.ended_at,
  };
}
