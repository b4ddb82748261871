/** What is wrong with the runner, in one sentence for each reason; the runner's crash says how it died. */
import type { CrashKind, RunnerFaultReason } from "#protocol/runner-health";

export interface RunnerTrouble {
  /** Null: the server named none that this page knows. */
  readonly reason: RunnerFaultReason | null;
  readonly crash: CrashKind | null;
}

export function runnerWords({ reason, crash }: RunnerTrouble): string {
  if (reason === null) return "The runner cannot be used.";
  return reason === "crashed" && crash !== null ? `The runner ${CRASH_WORDS[crash]} and is started again.` : REASON_WORDS[reason];
}

const REASON_WORDS: Readonly<Record<RunnerFaultReason, string>> = {
  not_configured: "No runner is set up, so nothing can run.",
  missing: "The runner is not there.",
  crashed: "The runner died and is started again.",
  not_answering: "The runner does not answer.",
  starting: "The runner is starting.",
  draining: "The runner is shutting down and takes nothing new.",
  unhealthy: "The runner runs, but its database does not answer.",
  wrong_key: "The runner refuses this server's key.",
  wrong_version: "The runner is of another version than this server: restart both.",
  redirected: "The runner's address leads elsewhere.",
  garbage: "What answers at the runner's address is no runner.",
};

const CRASH_WORDS: Readonly<Record<CrashKind, string>> = {
  exit: "ended by itself",
  signal: "was killed",
  out_of_memory: "ran out of memory",
  port_taken: "found its port taken",
  failed_start: "could not start",
  gone: "is gone",
};
