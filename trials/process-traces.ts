/** Processes of this machine, known by their environment (Linux; elsewhere nothing is seen, and trials say so). */
import { readdirSync, readFileSync } from "node:fs";
import { markInEnvironment } from "#agent/tools/child-mark";

export interface SeenProcess {
  readonly pid: number;
  readonly words: string;
}

export const SEES_PROCESSES = process.platform === "linux";

export function processesWith(isMeant: (environment: string) => boolean): readonly SeenProcess[] {
  if (!SEES_PROCESSES) return [];
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    if (!isMeant(readIfThere(`/proc/${name}/environ`)) || isZombie(name)) return [];
    return [{ pid: Number(name), words: readIfThere(`/proc/${name}/cmdline`).replaceAll("\0", " ").trim() }];
  });
}

/** Children of these runs that still live. */
export function childrenOf(runIds: ReadonlySet<string>): readonly SeenProcess[] {
  return processesWith((environment) => runIds.has(markInEnvironment(environment)?.run_id ?? ""));
}

function isZombie(pid: string): boolean {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat === "" || /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Gone meanwhile, or of another user: nothing is seen of it.
    return "";
  }
}
