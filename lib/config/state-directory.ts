/**
 * The state directory holds everything that must survive: database, keys, logs, pid files. It is
 * private (0700, files 0600). An older directory with wider rights is tightened only when all that it
 * holds is ours: the setting may name a directory that others use too.
 */
import { chmodSync, closeSync, fchmodSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemErrorCode } from "./system-error";

export type StateDirectoryResult = { readonly ok: true } | { readonly ok: false; readonly message: string };

const OUR_NAMES = /^(hermes\.db.*|attachments|checkpoints|logs|runner\.key.*|(supervisor|web|runner)\.json.*|supervisor-status\.json.*|\.probe-\d+)$/;

/** Makes the directory (and `logs` in it) and proves that it can be written; says in one line why not. */
export function openStateDirectory(path: string): StateDirectoryResult {
  try {
    makeDirectory(path);
    tighten(path);
    makeDirectory(logDirectory(path));
    const probe = join(path, `.probe-${process.pid}`);
    writeFileSync(probe, "writable", { mode: 0o600 });
    rmSync(probe);
    return { ok: true };
  } catch (error) {
    return { ok: false, message: `The state directory ${path} cannot be used: ${reasonOf(error, path)}.` };
  }
}

export function logDirectory(stateDirectory: string): string {
  return join(stateDirectory, "logs");
}

/**
 * Makes an empty file with mode 0600, or sets that mode on the one that is there, so that whoever
 * opens it next (SQLite gives its side files the mode of the database) finds it private.
 */
export function ensurePrivateFile(path: string): void {
  const file = openSync(path, "a", 0o600);
  try {
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}

/**
 * Parents first, each private. Node's own recursive mkdir spins for ever where the system answers
 * "no such entry" although the parent is there, as /proc does.
 */
function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (dirname(path) !== path) makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const madeByAnother = systemErrorCode(error) === "EEXIST" && statSync(path).isDirectory();
    if (!madeByAnother) throw error;
  }
}

function tighten(path: string): void {
  const { mode, uid } = statSync(path);
  if ((mode & 0o077) === 0 || uid !== process.getuid?.()) return;
  if (readdirSync(path).every((name) => OUR_NAMES.test(name))) chmodSync(path, 0o700);
}

function reasonOf(error: unknown, path: string): string {
  const code = systemErrorCode(error) ?? "no reason";
  if (code === "EACCES" || code === "EPERM") return noPermission(path);
  const reasons: Readonly<Record<string, string>> = {
    EEXIST: "there is a file of that name",
    ENOENT: "nothing can be made there",
    ENOTDIR: "a part of its path is a file",
    EROFS: "it is on a read-only file system",
    ENOSPC: "the disk is full",
    EDQUOT: "the disk quota is used up",
    ENAMETOOLONG: "its name is too long",
  };
  return reasons[code] ?? `the system answered ${code}`;
}

function noPermission(path: string): string {
  const owner = ownerOf(path);
  const foreign = owner !== null && owner !== process.getuid?.();
  return foreign ? `it belongs to another user (uid ${owner})` : "this user may not write there";
}

function ownerOf(path: string): number | null {
  try {
    return statSync(path).uid;
  } catch {
    // Not even its owner may be seen.
    return null;
  }
}
