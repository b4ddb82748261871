import { type PidRecord, readPidFile } from "#config/pid-file";
import { readLastSupervisorStatus } from "#config/supervisor-status";

/** A runner of this state directory that runs, whoever started it. */
export function runnerThere(stateDirectory: string): PidRecord | null {
  return readPidFile(stateDirectory, "runner");
}

/**
 * A web process that a supervisor started and did not live to stop. One that a person started by hand
 * is not ours to stop: the last supervisor's own record tells them apart.
 */
export function webLeftBehind(stateDirectory: string): PidRecord | null {
  const record = readPidFile(stateDirectory, "web");
  const lastPid = readLastSupervisorStatus(stateDirectory)?.web?.pid ?? null;
  return record !== null && record.pid === lastPid ? record : null;
}
