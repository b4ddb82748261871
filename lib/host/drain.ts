/**
 * The end of an owner (contract 5.2.3): runs that work get a while to finish, then they are
 * interrupted and say so. Those that wait for a person or a slot go on waiting with their next owner.
 */
import type { RunStatus } from "#protocol/status";
import type { LiveRun } from "./live-run";

/** A stop of a whole process tree takes ten seconds at most; a little more is waited for its events. */
export const STOP_BOUND_MS = 13_000;

export async function drainRuns(runs: () => readonly LiveRun[], graceMs: number): Promise<void> {
  const working = (): readonly LiveRun[] => runs().filter((run) => isWorking(run.view().status));
  const finished = (): Promise<unknown> => Promise.all(working().map((run) => run.finished));
  await Promise.race([finished(), waitAtMost(graceMs)]);
  interruptWorking(runs());
  await Promise.race([finished(), waitAtMost(STOP_BOUND_MS)]);
}

/** Runs that work end now, and say that it was a shutdown. */
export function interruptWorking(runs: readonly LiveRun[]): void {
  for (const run of runs) {
    if (isWorking(run.view().status)) run.interrupt("Interrupted by a shutdown. What you see was kept.", { reason: "shutdown", pid: process.pid });
  }
}

function isWorking(status: RunStatus): boolean {
  return status === "running" || status === "cancelling";
}

export function waitAtMost(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
