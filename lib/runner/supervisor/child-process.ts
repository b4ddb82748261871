/**
 * A process that the supervisor watches: one that it started itself, in a process group of its own
 * (so that neither Ctrl-C in the terminal nor the death of the supervisor reaches it), or one that
 * was there already and is watched through the process table. S2: stop is TERM, time to drain, then
 * KILL of the group.
 */
import { spawn } from "node:child_process";
import { processMark } from "#config/process-mark";
import type { Environment } from "#config/settings";
import { systemErrorCode } from "#config/system-error";
import { aborted, poll } from "./wait";

export interface ProcessExit {
  /** Both null when nobody was there to see it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface WatchedProcess {
  readonly pid: number;
  readonly adopted: boolean;
  readonly exited: Promise<ProcessExit>;
}

export interface Program {
  /** Arguments of Node. */
  readonly command: readonly string[];
  readonly directory: string;
  readonly environment: Environment;
}

const LOOK_EVERY_MS = 250;
/** A killed process group is gone at once, save when the kernel itself hangs. */
const GONE_AFTER_KILL_MS = 5000;

/** Starts Node on a program with its output in a file; throws when the system refuses to start it. */
export function startProcess(program: Program, output: number): WatchedProcess {
  const child = spawn(process.execPath, [...program.command], {
    cwd: program.directory,
    env: { NODE_ENV: "production", ...program.environment },
    detached: true,
    stdio: ["ignore", output, output],
  });
  if (child.pid === undefined) {
    child.on("error", () => undefined);
    throw new Error(`Node could not be started in ${program.directory}.`);
  }
  const exited = new Promise<ProcessExit>((resolve) => {
    child.on("exit", (code, signal) => resolve({ code, signal }));
  });
  return { pid: child.pid, adopted: false, exited };
}

/** Watches a process that is there already, until it ends or the signal is aborted. */
export function adoptProcess(pid: number, mark: string, signal: AbortSignal): WatchedProcess {
  const gone = () => (processMark(pid) === mark ? null : { code: null, signal: null });
  const exited = poll<ProcessExit>(gone, { everyMs: LOOK_EVERY_MS, timeoutMs: Number.POSITIVE_INFINITY, signal });
  return { pid, adopted: true, exited: exited.then((exit) => exit ?? { code: null, signal: null }) };
}

/**
 * TERM; KILL of the whole group after the grace, or at once when `force` is aborted. Answers whether
 * the process went.
 */
export async function stopProcess(target: WatchedProcess, graceMs: number, force: AbortSignal): Promise<boolean> {
  const ended = target.exited.then(() => true);
  sendSignal(target.pid, "SIGTERM");
  if (await Promise.race([ended, afterMs(graceMs), aborted(force).then(() => false)])) return true;
  killGroup(target.pid);
  return Promise.race([ended, afterMs(GONE_AFTER_KILL_MS)]);
}

async function afterMs(milliseconds: number): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
  return false;
}

/** KILL of the group that the process leads, or of the process alone where it leads none. */
function killGroup(pid: number): void {
  if (!sendSignal(-pid, "SIGKILL")) sendSignal(pid, "SIGKILL");
}

/** False when there is nothing (left) to signal. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ESRCH" || code === "EPERM") return false;
    throw error;
  }
}
