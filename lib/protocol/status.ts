/**
 * Run statuses and the lifecycle as one total table (contract 2.3).
 *
 * A run moves by events only. `LIFECYCLE` names, for each status and each kind of move, the status
 * that follows or `refused`; the event writer asks it before it numbers an event, and the test walks
 * every cell. `paused` and `expired` are reserved: nothing reaches them today, and they are in the
 * table so that a client that meets them knows what they mean.
 */
import { z } from "zod";

export const ACTIVE_STATUSES = ["queued", "running", "awaiting_approval", "awaiting_clarify", "paused", "cancelling"] as const;
export const TERMINAL_STATUSES = ["completed", "cancelled", "failed", "expired"] as const;
export const runStatusSchema = z.enum([...ACTIVE_STATUSES, ...TERMINAL_STATUSES]);
export type RunStatus = z.infer<typeof runStatusSchema>;
export type ActiveStatus = (typeof ACTIVE_STATUSES)[number];
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

export const terminalStateSchema = z.enum([
  "completed",
  "cancelled",
  "failed",
  "interrupted",
  "expired",
  "tool_limit_reached",
  "no_response",
  "compression_exhausted",
]);
export type TerminalState = z.infer<typeof terminalStateSchema>;

export const controlSchema = z.enum(["cancel", "approval", "clarify", "queue", "steer", "interrupt"]);
export type Control = z.infer<typeof controlSchema>;

/** The moves a run can make. A `status` event is the move to its status; terminal events are the last three. */
export const LIFECYCLE_MOVES = [
  "to_queued",
  "to_running",
  "to_awaiting_approval",
  "to_awaiting_clarify",
  "to_paused",
  "to_cancelling",
  "work",
  "done",
  "cancelled",
  "error",
  "expire",
] as const;
export type LifecycleMove = (typeof LIFECYCLE_MOVES)[number];

const REFUSED = "refused" as const;
type Row = Record<LifecycleMove, RunStatus | typeof REFUSED>;

const closed: Row = {
  to_queued: REFUSED,
  to_running: REFUSED,
  to_awaiting_approval: REFUSED,
  to_awaiting_clarify: REFUSED,
  to_paused: REFUSED,
  to_cancelling: REFUSED,
  work: REFUSED,
  done: REFUSED,
  cancelled: REFUSED,
  error: REFUSED,
  expire: REFUSED,
};

export const LIFECYCLE: Readonly<Record<RunStatus, Readonly<Row>>> = {
  queued: { ...closed, to_running: "running", to_cancelling: "cancelling", work: "queued", cancelled: "cancelled", error: "failed", expire: "expired" },
  running: {
    ...closed,
    to_queued: "queued",
    to_awaiting_approval: "awaiting_approval",
    to_awaiting_clarify: "awaiting_clarify",
    to_paused: "paused",
    to_cancelling: "cancelling",
    work: "running",
    done: "completed",
    cancelled: "cancelled",
    error: "failed",
    expire: "expired",
  },
  awaiting_approval: {
    ...closed,
    to_running: "running",
    to_awaiting_clarify: "awaiting_clarify",
    to_cancelling: "cancelling",
    work: "awaiting_approval",
    cancelled: "cancelled",
    error: "failed",
    expire: "expired",
  },
  awaiting_clarify: {
    ...closed,
    to_running: "running",
    to_awaiting_approval: "awaiting_approval",
    to_cancelling: "cancelling",
    work: "awaiting_clarify",
    cancelled: "cancelled",
    error: "failed",
    expire: "expired",
  },
  paused: { ...closed, to_running: "running", to_cancelling: "cancelling", work: "paused", cancelled: "cancelled", error: "failed", expire: "expired" },
  cancelling: { ...closed, work: "cancelling", cancelled: "cancelled", error: "failed" },
  completed: closed,
  cancelled: closed,
  failed: closed,
  expired: closed,
};

/** What a person can do while a run has this status; the `controls` of `run.started` and `status`. */
export const CONTROLS_BY_STATUS: Readonly<Record<RunStatus, readonly Control[]>> = {
  queued: ["cancel", "queue"],
  running: ["cancel", "queue", "steer", "interrupt"],
  awaiting_approval: ["cancel", "approval", "queue", "steer", "interrupt"],
  awaiting_clarify: ["cancel", "clarify", "queue", "steer", "interrupt"],
  paused: ["cancel", "queue"],
  cancelling: ["queue"],
  completed: [],
  cancelled: [],
  failed: [],
  expired: [],
};

const active: ReadonlySet<string> = new Set(ACTIVE_STATUSES);

export function isActive(status: RunStatus): status is ActiveStatus {
  return active.has(status);
}
