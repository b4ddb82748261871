/**
 * Runs a program to its end in a process group of its own, so that an interrupted set-up leaves
 * nothing behind: when the signal is aborted or the time is over the whole group gets TERM, and KILL
 * three seconds later.
 */
import { spawn } from "node:child_process";

const KILL_AFTER_MS = 3000;
/** Kept of an output that is not shown. */
const MAX_KEPT = 256 * 1024;

/**
 * @param {string[]} command program and arguments
 * @param {{directory: string, environment?: NodeJS.ProcessEnv, signal?: AbortSignal, timeoutMs: number, show: boolean}} options
 *   `show`: the output goes to stderr as it comes; otherwise it is answered
 * @returns {Promise<{ok: boolean, code: number | null, timedOut: boolean, output: string}>}
 */
export async function runProgram([program, ...words], options) {
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const stop = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  const child = spawn(program, words, {
    cwd: options.directory,
    env: options.environment ?? process.env,
    detached: true,
    stdio: options.show ? ["ignore", 2, 2] : ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const keep = (piece) => {
    output = (output + piece).slice(-MAX_KEPT);
  };
  child.stdout?.setEncoding("utf8").on("data", keep);
  child.stderr?.setEncoding("utf8").on("data", keep);
  const onStop = () => endGroup(child);
  stop.addEventListener("abort", onStop, { once: true });
  if (stop.aborted) onStop();
  const code = await new Promise((resolve) => {
    child.once("error", (error) => {
      keep(`${program}: ${error.message}\n`);
      resolve(null);
    });
    child.once("close", resolve);
  });
  stop.removeEventListener("abort", onStop);
  return { ok: code === 0, code, timedOut: deadline.aborted, output };
}

function endGroup(child) {
  if (child.pid === undefined) return;
  signalGroup(child.pid, "SIGTERM");
  const timer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), KILL_AFTER_MS);
  child.once("close", () => clearTimeout(timer));
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH" && error.code !== "EPERM") throw error;
  }
}
