/**
 * Files that other programs, and the person, write too: read whole within a bound, changed one writer
 * at a time, replaced whole. A change is made under a lock file beside the target; the new text goes
 * to a temporary file that is synced and renamed over the old one, so that a kill at any moment leaves
 * the old text or the new, never half. A link stays a link: its target is what is replaced.
 */
import { constants } from "node:fs";
import { open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "#protocol/errors";

export type TextRead =
  | { readonly status: "read"; readonly text: string }
  | { readonly status: "missing" }
  | { readonly status: "too_large"; readonly size: number }
  | { readonly status: "unreadable"; readonly reason: string };

/** The text of a regular file of at most `maxBytes`; no device, pipe or folder is ever opened for good. */
export async function readText(path: string, maxBytes: number): Promise<TextRead> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { size, isFile } = await handle.stat().then((found) => ({ size: found.size, isFile: found.isFile() }));
      if (!isFile) return { status: "unreadable", reason: "it is not a file" };
      if (size > maxBytes) return { status: "too_large", size };
      return { status: "read", text: await handle.readFile("utf8") };
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const code = errorCode(cause);
    if (code === "ENOENT" || code === "ENOTDIR") return { status: "missing" };
    return { status: "unreadable", reason: code };
  }
}

export function errorCode(cause: unknown): string {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "unknown";
}

const LOCK_RETRY_MS = 15;
const LOCK_WAIT_MS = 5_000;
/** A lock is held for milliseconds; one this old belongs to nobody, whatever its process is now. */
const LOCK_STALE_MS = 10_000;
const LOCK_UNSIGNED_MS = 1_000;
const PRIVATE_FILE = 0o600;

/**
 * Runs `change` alone among all writers of `path`; it reads what it needs itself and gives the new
 * text, or null to leave the file as it is. The folder must be there: `profile_not_found` when it is
 * gone. `conflict` after 5 s of waiting. `mode`: what the file gets; without it it keeps the one that it
 * has, and a new one is private.
 */
export async function editFile<Result>(path: string, change: () => Promise<{ readonly text: string | null; readonly result: Result }>, mode?: number): Promise<Result> {
  const target = await realpath(path).catch(() => path);
  const lock = join(dirname(target), `.${basename(target)}.workbench-lock`);
  await takeLock(lock);
  try {
    const { text, result } = await change();
    if (text !== null) await replaceFile(target, text, mode);
    return result;
  } finally {
    await rm(lock, { force: true });
  }
}

async function takeLock(lock: string): Promise<void> {
  const deadline = performance.now() + LOCK_WAIT_MS;
  while (!(await createLock(lock))) {
    if (await isAbandoned(lock)) await rm(lock, { force: true });
    else if (performance.now() > deadline) throw new AppError("conflict", "Another program is changing this file. Try again.");
    else await delay(LOCK_RETRY_MS);
  }
}

async function createLock(lock: string): Promise<boolean> {
  try {
    const handle = await open(lock, "wx", PRIVATE_FILE);
    await handle.writeFile(String(process.pid)).finally(() => handle.close());
    return true;
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return false;
    if (errorCode(cause) === "ENOENT") throw new AppError("profile_not_found", "The folder of this profile is gone.", {}, cause);
    throw cause;
  }
}

/** Its owner died, or it is too old to be held. */
async function isAbandoned(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(() => null);
  if (found === null) return false;
  const age = Date.now() - found.mtimeMs;
  const owner = Number(await readFile(lock, "utf8").catch(() => ""));
  if (owner === 0) return age > LOCK_UNSIGNED_MS;
  return age > LOCK_STALE_MS || !isAlive(owner);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return errorCode(cause) === "EPERM";
  }
}

/** The temporary file has one name, so that writers that were killed leave at most one behind. */
async function replaceFile(target: string, text: string, wanted: number | undefined): Promise<void> {
  const temporary = join(dirname(target), `.${basename(target)}.workbench-new`);
  const mode = wanted ?? (await stat(target).catch(() => null))?.mode ?? PRIVATE_FILE;
  const handle = await open(temporary, "w", mode & 0o777);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, target);
  await syncFolder(dirname(target));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
