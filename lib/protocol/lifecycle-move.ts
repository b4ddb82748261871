/** The lifecycle move that an event is: a `status` moves to its status, a terminal event ends, all else is work. */
import type { RunEventBody } from "./events";
import type { LifecycleMove, RunStatus } from "./status";

const STATUS_MOVES: Readonly<Record<RunStatus, LifecycleMove>> = {
  queued: "to_queued",
  running: "to_running",
  awaiting_approval: "to_awaiting_approval",
  awaiting_clarify: "to_awaiting_clarify",
  paused: "to_paused",
  cancelling: "to_cancelling",
  completed: "done",
  cancelled: "cancelled",
  failed: "error",
  expired: "expire",
};

export function lifecycleMoveOf(body: RunEventBody): LifecycleMove {
  switch (body.type) {
    case "status":
      return STATUS_MOVES[body.payload.status];
    case "done":
    case "cancelled":
    case "error":
      return body.type;
    default:
      return "work";
  }
}
