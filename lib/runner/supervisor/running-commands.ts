/**
 * What can be asked of a supervisor that runs, from another terminal: what runs, stop, restart the
 * web process. It is reached by signals, its answers are read from its pid and status files.
 */
import { type PidRecord, readPidFile, removePidFile } from "#config/pid-file";
import { processMark } from "#config/process-mark";
import type { Settings } from "#config/settings";
import { CHILD_NAMES, type ChildReport, readSupervisorStatus } from "#config/supervisor-status";
import { adoptProcess, sendSignal, stopProcess } from "./child-process";
import { runnerThere, webLeftBehind } from "./left-behind";
import { poll } from "./wait";

export interface CommandContext {
  readonly settings: Settings;
  readonly print: (line: string) => void;
  readonly complain: (line: string) => void;
  readonly signal: AbortSignal;
}

export const RESTART_WEB_SIGNAL = "SIGUSR2";
/** Like the status of a service that does not run. */
export const NOT_RUNNING = 3;
const STOP_WITHIN_MS = 60_000;
const RESTART_WITHIN_MS = 60_000;
const STOP_GRACE_MS = { web: 4500, runner: 40_000 } as const;

/** Prints what runs; the exit code says whether a supervisor does. */
export function showStatus({ settings, print }: CommandContext): number {
  const supervisor = readPidFile(settings.stateDirectory, "supervisor");
  const status = readSupervisorStatus(settings.stateDirectory);
  print(supervisor === null ? "Not running" : `Running on ${supervisor.url} (supervisor ${supervisor.pid})`);
  for (const name of CHILD_NAMES) {
    const report = status?.[name] ?? null;
    const record = readPidFile(settings.stateDirectory, name);
    if (report !== null) print(`${name}: ${describe(report)}`);
    else if (record !== null) print(`${name}: pid ${record.pid} on ${record.url}, without a supervisor`);
  }
  return supervisor === null ? NOT_RUNNING : 0;
}

/** Stops what runs, or what a killed supervisor left behind, and waits until it is gone. */
export async function stopRunning(context: CommandContext): Promise<number> {
  const { stateDirectory } = context.settings;
  const supervisor = readPidFile(stateDirectory, "supervisor");
  const left = supervisor === null ? await stopLeftBehind(context) : 0;
  if (supervisor === null) {
    context.print(left === 0 ? "Not running" : "Stopped what was left");
    return 0;
  }
  sendSignal(supervisor.pid, "SIGTERM");
  const gone = await poll(() => (isThere(supervisor) ? null : true), { everyMs: 100, timeoutMs: STOP_WITHIN_MS, signal: context.signal });
  if (gone === null) {
    context.complain(`The supervisor (pid ${supervisor.pid}) did not stop.`);
    return 1;
  }
  context.print("Stopped");
  return 0;
}

/** Has the supervisor restart the web process and waits until the new one answers. */
export async function restartWeb(context: CommandContext): Promise<number> {
  const { stateDirectory } = context.settings;
  const supervisor = readPidFile(stateDirectory, "supervisor");
  if (supervisor === null) {
    context.complain("Not running");
    return NOT_RUNNING;
  }
  const before = readSupervisorStatus(stateDirectory)?.web?.pid ?? null;
  sendSignal(supervisor.pid, RESTART_WEB_SIGNAL);
  const restarted = await poll(
    () => {
      const web = readSupervisorStatus(stateDirectory)?.web;
      return web?.state === "ready" && web.pid !== before ? true : null;
    },
    { everyMs: 50, timeoutMs: RESTART_WITHIN_MS, signal: context.signal },
  );
  if (restarted === null) {
    context.complain("The web process did not come back; see --status and the log.");
    return 1;
  }
  context.print(`Restarted on ${supervisor.url}`);
  return 0;
}

/** Both at once; answers how many there were. */
async function stopLeftBehind({ settings, signal }: CommandContext): Promise<number> {
  const { stateDirectory } = settings;
  const found = { web: webLeftBehind(stateDirectory), runner: runnerThere(stateDirectory) };
  const stops = CHILD_NAMES.map(async (name) => {
    const record = found[name];
    if (record === null) return 0;
    const process = adoptProcess(record.pid, record.start_mark, signal);
    await stopProcess(process, STOP_GRACE_MS[name], signal);
    removePidFile(stateDirectory, name, record.pid);
    return 1;
  });
  const counts = await Promise.all(stops);
  return counts.reduce((sum: number, count) => sum + count, 0);
}

function isThere(record: PidRecord): boolean {
  return processMark(record.pid) === record.start_mark;
}

function describe(report: ChildReport): string {
  const pid = report.pid === null ? "" : `, pid ${report.pid}`;
  const restarts = report.restarts === 0 ? "" : `, restarted ${report.restarts} times`;
  const crash = report.last_crash === null ? "" : `. Last crash: ${report.last_crash.message}`;
  return `${report.state}${pid}${report.adopted ? ", taken over" : ""}${restarts}${crash}`;
}
