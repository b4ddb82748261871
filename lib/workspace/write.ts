/**
 * W4 A file is either the old one or the new one, never a half. The content goes to a temporary file
 * in the same folder, is flushed, and takes the name in one step; mode and owner of the old file are
 * kept. What the writer believed about the old file is checked right before that step, and a new
 * file takes its name by `link`, so that of two writers who both meant a new file one loses.
 */
import { randomBytes } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { access, type FileHandle, link, lstat, open, rename, unlink } from "node:fs/promises";
import { AppError } from "#protocol/errors";
import { contain } from "./contain";
import { type FileEntry, mtimeOf, toEntry, typeOf, versionOf } from "./file-entry";
import { errnoOf } from "./file-error";
import { inParentFolder, type OpenFolder } from "./open-folder";

/** What must be true of the file on disk: nothing, that it is not there, its mtime (s), or its `version`. */
export type WriteCondition =
  | { readonly kind: "any" }
  | { readonly kind: "new" }
  | { readonly kind: "mtime"; readonly mtime: number }
  | { readonly kind: "version"; readonly version: string };

export interface WrittenFile {
  readonly entry: FileEntry;
  readonly created: boolean;
  readonly key: string;
  readonly version: string;
}

/** The condition that the field `expected_mtime` of the browser API states. */
export function conditionOfMtime(expected: number | null): WriteCondition {
  return expected === null ? { kind: "new" } : { kind: "mtime", mtime: expected };
}

const NOT_SUPPORTED = new Set(["EPERM", "EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

function changed(shown: string): AppError {
  return new AppError("changed_on_disk", `${shown} changed on disk since it was opened.`);
}

function holds(condition: WriteCondition, current: BigIntStats | null): boolean {
  if (condition.kind === "any") return true;
  if (condition.kind === "new") return current === null;
  if (current === null) return false;
  if (condition.kind === "version") return versionOf(current) === condition.version;
  // A double holds today's seconds to 0.24 µs.
  return Math.abs(mtimeOf(current) - condition.mtime) < 1e-6;
}

async function statIfThere(place: string): Promise<BigIntStats | null> {
  try {
    return await lstat(place, { bigint: true });
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Runs `work`, but lives with a file system that can't do it. */
async function wherePossible(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!NOT_SUPPORTED.has(errnoOf(error) ?? "")) throw error;
  }
}

async function keepModeAndOwner(handle: FileHandle, old: BigIntStats): Promise<void> {
  const made = await handle.stat({ bigint: true });
  if (made.uid !== old.uid || made.gid !== old.gid) await wherePossible(handle.chown(Number(old.uid), Number(old.gid)));
  await handle.chmod(Number(old.mode) & 0o7777);
}

async function fillTemporary(place: string, content: string | Uint8Array, old: BigIntStats | null): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(place, flags, 0o666);
  try {
    await handle.writeFile(content);
    if (old !== null) await keepModeAndOwner(handle, old);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function takeNewName(temporary: string, target: string, shown: string): Promise<void> {
  try {
    await link(temporary, target);
    await unlink(temporary);
  } catch (error) {
    const errno = errnoOf(error) ?? "";
    if (errno === "EEXIST") throw changed(shown);
    if (!NOT_SUPPORTED.has(errno)) throw error;
    // Without hard links the check and the step are two; the window is a few microseconds.
    if ((await statIfThere(target)) !== null) throw changed(shown);
    await rename(temporary, target);
  }
}

async function replace(folder: OpenFolder, name: string, shown: string, content: string | Uint8Array, condition: WriteCondition): Promise<boolean> {
  const target = folder.at(name);
  const old = await statIfThere(target);
  if (old !== null && typeOf(old) !== "file") throw new AppError("invalid_request", `${shown} is no file.`);
  if (!holds(condition, old)) throw changed(shown);
  if (old !== null) await access(target, constants.W_OK);
  const temporary = folder.at(`.hermes-${randomBytes(8).toString("hex")}.tmp`);
  try {
    await fillTemporary(temporary, content, old);
    if (condition.kind === "new") {
      await takeNewName(temporary, target, shown);
    } else {
      if (!holds(condition, await statIfThere(target))) throw changed(shown);
      await rename(temporary, target);
    }
  } catch (error) {
    // The first failure is the one to tell; a temporary file that is not there needs no removal.
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  await wherePossible(folder.handle.sync());
  return old === null;
}

/**
 * Writes a whole file; missing parent folders are made. A link that stays inside is written through.
 * Errors: `outside_workspace`, `changed_on_disk`, `invalid_request` (no regular file), `conflict` (no permission, disk full).
 */
export async function writeFile(workspace: string, path: string, content: string | Uint8Array, condition: WriteCondition): Promise<WrittenFile> {
  const place = await contain(workspace, path);
  return inParentFolder(
    place,
    async (folder, name) => {
      const created = await replace(folder, name, place.relative, content, condition);
      const stats = await lstat(folder.at(name), { bigint: true });
      return { entry: toEntry(place.relative, stats), created, key: place.segments.join("/"), version: versionOf(stats) };
    },
    { create: true },
  );
}
