/**
 * `$STATE_DIR/{supervisor,web,runner}.json`: what runs, `{pid, started_at, url}` and the mark of the
 * process's start. The process table decides, never the file: a file that is missing, empty, garbage,
 * of a dead process or of a number that another process has by now counts as "nothing runs". Files
 * appear complete (a link or a rename of a finished one), so a reader never meets half a file.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { processMark } from "./process-mark";
import { systemErrorCode } from "./system-error";

export const PROCESS_NAMES = ["supervisor", "web", "runner"] as const;
export type ProcessName = (typeof PROCESS_NAMES)[number];

const PidRecordSchema = z.object({
  pid: z.int().positive(),
  /** Unix seconds. */
  started_at: z.number(),
  url: z.string().max(2048),
  start_mark: z.string().max(200),
});
export type PidRecord = z.infer<typeof PidRecordSchema>;

export type PidFileClaim =
  | { readonly claimed: true }
  | { readonly claimed: false; readonly holder: PidRecord };

/** How often a claim is tried against others that start at the same moment. */
const CLAIM_TRIES = 20;

export function pidFilePath(stateDirectory: string, name: ProcessName): string {
  return join(stateDirectory, `${name}.json`);
}

/** The running process of that name, or null. */
export function readPidFile(stateDirectory: string, name: ProcessName): PidRecord | null {
  return readLiveRecord(pidFilePath(stateDirectory, name));
}

/** Records a process (this one, or a child just started) over whatever the file holds; false when it is gone already. */
export function writePidFile(stateDirectory: string, name: ProcessName, url: string, pid: number = process.pid): boolean {
  const record = recordOf(pid, url);
  if (record === null) return false;
  const finished = writeFinishedFile(stateDirectory, name, record);
  renameSync(finished, pidFilePath(stateDirectory, name));
  return true;
}

/**
 * Records this process as the only one of its name: of several that start at one moment exactly one
 * gets it, the others learn who holds it. Claiming again (with another address) is allowed.
 */
export function claimPidFile(stateDirectory: string, name: ProcessName, url: string): PidFileClaim {
  const target = pidFilePath(stateDirectory, name);
  const record = recordOf(process.pid, url);
  if (record === null) throw new Error("The process table does not show this process.");
  const finished = writeFinishedFile(stateDirectory, name, record);
  try {
    for (let tries = 0; tries < CLAIM_TRIES; tries += 1) {
      if (link(finished, target)) return { claimed: true };
      const holder = readLiveRecord(target);
      if (holder?.pid === process.pid) {
        renameSync(finished, target);
        return { claimed: true };
      }
      if (holder !== null) return { claimed: false, holder };
      setAsideStale(target);
    }
  } finally {
    rmSync(finished, { force: true });
  }
  throw new Error(`${target} cannot be claimed.`);
}

/** Removes the file if it is that process's, or nobody's. */
export function removePidFile(stateDirectory: string, name: ProcessName, pid: number = process.pid): void {
  const path = pidFilePath(stateDirectory, name);
  const live = readLiveRecord(path);
  if (live === null || live.pid === pid) rmSync(path, { force: true });
}

function recordOf(pid: number, url: string): PidRecord | null {
  const mark = processMark(pid);
  return mark === null ? null : { pid, started_at: Date.now() / 1000, url, start_mark: mark };
}

function writeFinishedFile(stateDirectory: string, name: ProcessName, record: PidRecord): string {
  const path = `${pidFilePath(stateDirectory, name)}.${process.pid}`;
  writeFileSync(path, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  return path;
}

function readLiveRecord(path: string): PidRecord | null {
  const record = readRecord(path);
  return record !== null && processMark(record.pid) === record.start_mark ? record : null;
}

function readRecord(path: string): PidRecord | null {
  try {
    return PidRecordSchema.safeParse(JSON.parse(readFileSync(path, "utf8"))).data ?? null;
  } catch {
    // Missing or garbage: both mean that the file says nothing.
    return null;
  }
}

/**
 * Takes a stale file away. Between the look and the rename another process may have put its own, live
 * file there; then that one goes back where it was.
 */
function setAsideStale(target: string): void {
  const aside = `${target}.${process.pid}.stale`;
  try {
    renameSync(target, aside);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return;
    throw error;
  }
  if (readLiveRecord(aside) !== null) link(aside, target);
  rmSync(aside, { force: true, recursive: true });
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}
