/**
 * The state of a child as a fold of what happened to it. The table is total: a fact that does not fit
 * the state (an answer of a child that is being stopped) leaves it as it is.
 */
import type { ChildReport, ChildState } from "#config/supervisor-status";
import type { Crash } from "./crash";

export type ChildFact =
  | { readonly type: "started"; readonly pid: number; readonly adopted: boolean }
  | { readonly type: "answered" }
  | { readonly type: "stop_asked" }
  | { readonly type: "crashed"; readonly crash: Crash }
  | { readonly type: "ended" };

const NEXT_STATE: Readonly<Record<ChildState, Readonly<Record<ChildFact["type"], ChildState | null>>>> = {
  starting: { started: null, answered: "ready", stop_asked: "stopping", crashed: "waiting", ended: "stopped" },
  ready: { started: null, answered: null, stop_asked: "stopping", crashed: "waiting", ended: "stopped" },
  waiting: { started: "starting", answered: null, stop_asked: "stopped", crashed: null, ended: "stopped" },
  stopping: { started: null, answered: null, stop_asked: null, crashed: null, ended: "stopped" },
  stopped: { started: "starting", answered: null, stop_asked: null, crashed: null, ended: null },
};

export const CHILD_NOT_STARTED: ChildReport = { state: "stopped", pid: null, since: 0, adopted: false, restarts: 0, last_crash: null };

/** @param now Unix seconds */
export function applyChildFact(report: ChildReport, fact: ChildFact, now: number): ChildReport {
  const state = NEXT_STATE[report.state][fact.type];
  if (state === null) return report;
  const next = { ...report, state, since: now };
  if (fact.type === "started") return { ...next, pid: fact.pid, adopted: fact.adopted, restarts: restartsAfter(report) };
  if (fact.type === "crashed") return { ...next, pid: null, last_crash: { ...fact.crash, at: now } };
  return state === "stopped" ? { ...next, pid: null } : next;
}

/** Every start but the first is a restart. */
function restartsAfter(report: ChildReport): number {
  return report.since === 0 ? 0 : report.restarts + 1;
}
