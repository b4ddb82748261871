/**
 * All processes of the machine at one moment, as far as this user may see them. On Linux from
 * `/proc`, with what the environment and the open files of a process tell about where it came from;
 * elsewhere from `ps`, which knows parents and groups only. A process that vanishes while it is
 * looked at is left out; a zombie runs no more and is left out too.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import path from "node:path";
import { spawnEnvironment } from "#workspace/spawn-environment";

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where it is unknown. */
  readonly session: number;
  /** When it began: clock ticks since boot on Linux, Unix seconds elsewhere. Only to be compared. */
  readonly started: number;
}

/** What a process carries with it: its environment and the targets of its open files; "" and [] where that may not be read. */
interface ProcessTraces {
  readonly environment: string;
  readonly files: readonly string[];
}

/** The moment a process began, as exactly as it can be told. */
export interface Birth {
  readonly earliest: number;
  readonly latest: number;
}

export interface ProcessTable {
  /** False: `traces` never shows anything, so what leaves its parent must be noticed while it is still there. */
  readonly sees_traces: boolean;
  rows(): Promise<readonly ProcessRow[]>;
  traces(pid: number): Promise<ProcessTraces>;
  /** For a child that was spawned just now and is not reaped yet. */
  birth(pid: number): Birth;
}

const AT_ONCE = 32;

async function orElse<T>(work: Promise<T>, fallback: T): Promise<T> {
  try {
    return await work;
  } catch {
    return fallback; // Gone, or of another user: there is nothing to see.
  }
}

/** Runs `work` over all items, `AT_ONCE` at a time. */
export async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))));
  }
  return results;
}

interface Stat {
  readonly row: ProcessRow;
  readonly zombie: boolean;
}

/** One line of `/proc/<pid>/stat`; the name in parentheses may hold anything, so it is read from its end. */
export function parseStat(text: string): Stat | null {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [pid = NaN, parent = NaN, group = NaN, session = NaN, started = NaN] = [text.split(" ", 1)[0], fields[1], fields[2], fields[3], fields[19]].map(Number);
  if (![pid, parent, group, session, started].every(Number.isInteger)) return null;
  return { row: { pid, parent, group, session, started }, zombie: fields[0] === "Z" || fields[0] === "X" };
}

function createProcTable(): ProcessTable {
  return {
    sees_traces: true,
    async rows() {
      const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
      const stats = await inBatches(pids, async (pid) => parseStat(await orElse(readFile(`/proc/${pid}/stat`, "utf8"), "")));
      return stats.flatMap((stat) => (stat === null || stat.zombie ? [] : [stat.row]));
    },
    async traces(pid) {
      const folder = `/proc/${pid}/fd`;
      const numbers = await orElse(readdir(folder), []);
      return {
        environment: await orElse(readFile(`/proc/${pid}/environ`, "utf8"), ""),
        files: await Promise.all(numbers.map((number) => orElse(readlink(path.join(folder, number)), ""))),
      };
    },
    birth(pid) {
      const started = parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"))?.row.started ?? 0;
      return { earliest: started, latest: started };
    },
  };
}

/** One line of `ps -o pid=,ppid=,pgid=,stat=,lstart=`. */
export function parsePsLine(line: string): ProcessRow | null {
  const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line);
  const started = Date.parse(found?.[5] ?? "") / 1000;
  if (found === null || found[4]?.startsWith("Z") || Number.isNaN(started)) return null;
  return { pid: Number(found[1]), parent: Number(found[2]), group: Number(found[3]), session: 0, started };
}

function createPsTable(): ProcessTable {
  const limits = { env: spawnEnvironment({ PATH: "/bin:/usr/bin", LC_ALL: "C" }), timeout: 5000, maxBuffer: 16 * 1024 * 1024 };
  return {
    sees_traces: false,
    rows: () =>
      new Promise((resolve) => {
        execFile("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat=,lstart="], limits, (_error, stdout) => {
          resolve(stdout.split("\n").flatMap((line) => parsePsLine(line) ?? []));
        });
      }),
    traces: () => Promise.resolve({ environment: "", files: [] }),
    // `ps` tells whole seconds.
    birth: () => ({ earliest: Math.floor(Date.now() / 1000) - 1, latest: Date.now() / 1000 + 2 }),
  };
}

export function createProcessTable(platform: NodeJS.Platform): ProcessTable {
  return platform === "linux" ? createProcTable() : createPsTable();
}
