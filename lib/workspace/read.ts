/**
 * W3 Reading ends in bounded time and memory. What is no regular file (FIFO, socket, device, folder)
 * is refused before and after it is opened, a huge file is refused by its size, and of any other at
 * most `limit` bytes are taken. The descriptor that was checked is the one that is read.
 */
import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { AppError } from "#protocol/errors";
import { contain } from "./contain";
import { type FileEntry, toEntry, versionOf } from "./file-entry";
import { inParentFolder } from "./open-folder";

export interface OpenedFile {
  readonly handle: FileHandle;
  readonly entry: FileEntry;
  /** Real path below the workspace, with forward slashes: one key for all ways to write it. */
  readonly key: string;
  /** See `versionOf`. */
  readonly version: string;
}

export interface FileView {
  readonly path: string;
  readonly type: "file";
  /** Bytes of the file on disk. */
  readonly size: number;
  /** Unix seconds with a fraction. */
  readonly mtime: number;
  /** Text, or base64 where the bytes are no UTF-8 text. */
  readonly content: string;
  readonly encoding: "utf8" | "base64";
  /** True when only the first `limit` bytes are in `content`. */
  readonly truncated: boolean;
}

/** A bigger file is not read line by line. */
export const MAX_READABLE_BYTES = 256 * 1024 * 1024;
const DEFAULT_LIMIT = 1024 * 1024;

function refuseUnlessFile(entry: FileEntry, shown: string): void {
  if (entry.type === "dir") throw new AppError("invalid_request", `${shown} is a folder.`);
  if (entry.type === "link") throw new AppError("outside_workspace", "That path lies outside the workspace.");
  if (entry.type === "other") throw new AppError("invalid_request", `${shown} is no file (a device, a pipe or a socket).`);
}

/**
 * Opens a regular file of the workspace for reading; the caller closes `handle`.
 * Errors: `outside_workspace`, `not_found`, `invalid_request` (no regular file), `conflict` (no permission).
 */
export async function openFile(workspace: string, path: string): Promise<OpenedFile> {
  const place = await contain(workspace, path);
  if (place.segments.length === 0) throw new AppError("invalid_request", "The workspace itself is a folder.");
  return inParentFolder(place, async (folder, name) => {
    refuseUnlessFile(toEntry(place.relative, await lstat(folder.at(name), { bigint: true })), place.relative);
    // NONBLOCK: a FIFO put there since the look above must not hold the open.
    const handle = await open(folder.at(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat({ bigint: true });
      const entry = toEntry(place.relative, stats);
      refuseUnlessFile(entry, place.relative);
      return { handle, entry, key: place.segments.join("/"), version: versionOf(stats) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  });
}

/** Up to `limit` bytes from the start; short only at the end of the file. */
export async function readStart(handle: FileHandle, limit: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(limit);
  let filled = 0;
  while (filled < limit) {
    const { bytesRead } = await handle.read(buffer, filled, Math.min(limit - filled, 1024 * 1024), filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** The bytes as text, or null when they are no UTF-8 or hold NUL. With `cut` a last character may be incomplete. */
export function decodeText(bytes: Uint8Array, cut: boolean): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut });
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** The start of a file of any size. Errors: those of `openFile`. `limit` in bytes. */
export async function readFileView(workspace: string, path: string, limit: number = DEFAULT_LIMIT): Promise<FileView> {
  const { handle, entry } = await openFile(workspace, path);
  try {
    const bytes = await readStart(handle, Math.min(limit, entry.size + 1));
    const truncated = entry.size > bytes.length;
    const text = decodeText(bytes, truncated);
    const content = text ?? bytes.toString("base64");
    return { path: entry.path, type: "file", size: entry.size, mtime: entry.mtime, content, encoding: text === null ? "base64" : "utf8", truncated };
  } finally {
    await handle.close();
  }
}
