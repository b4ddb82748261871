/**
 * Who a process is, beyond its number: numbers are used again, so a pid file is believed only if the
 * process of that number also started at the same moment. On Linux that moment is counted in ticks
 * since boot (a clock step does not change it) next to the id of the boot; elsewhere `ps` tells it.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Field 22 of /proc/<pid>/stat, counted after the command's closing bracket. */
const START_TICKS_FIELD = 19;

/** A text that names this start of this process, or null when it does not run (a zombie does not). */
export function processMark(pid: number): string | null {
  return process.platform === "linux" ? markFromProc(pid) : markFromPs(pid);
}

function markFromProc(pid: number): string | null {
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  const ticks = fields[START_TICKS_FIELD];
  if (ticks === undefined || state === "Z" || state === "X") return null;
  return `${readIfThere("/proc/sys/kernel/random/boot_id")?.trim() ?? "boot"}:${ticks}`;
}

function markFromPs(pid: number): string | null {
  try {
    const line = execFileSync("env", ["LC_ALL=C", "ps", "-o", "state=,lstart=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 5000,
    }).trim();
    const [state = "", ...start] = line.split(/\s+/);
    return line === "" || state.startsWith("Z") ? null : start.join(" ");
  } catch {
    // ps answers 1 for a process that is not there.
    return null;
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process went away, before or while it was read.
    return null;
  }
}
