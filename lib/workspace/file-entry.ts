/**
 * A file or folder as the browser sees it (contract 3.3), and the version by which a change on disk
 * is noticed. Times are Unix seconds with a fraction; the version is exact (nanoseconds and size),
 * because two writes within one microsecond-rounded second fraction must still differ where the
 * file system can tell them apart.
 */
import type { BigIntStats } from "node:fs";

/** `link`: a link that leads nowhere or outside; `other`: a socket, a FIFO, a device. */
export type EntryType = "file" | "dir" | "link" | "other";

export interface FileEntry {
  readonly name: string;
  /** Below the workspace, with forward slashes; "" is the workspace itself. */
  readonly path: string;
  readonly type: EntryType;
  /** Bytes; 0 for folders. */
  readonly size: number;
  /** Unix seconds with a fraction. */
  readonly mtime: number;
}

export function typeOf(stats: BigIntStats): EntryType {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "dir";
  return stats.isSymbolicLink() ? "link" : "other";
}

export function mtimeOf(stats: BigIntStats): number {
  return Number(stats.mtimeNs) / 1e9;
}

/** Changes whenever the file's content may have. */
export function versionOf(stats: BigIntStats): string {
  return `${stats.mtimeNs}:${stats.size}:${stats.ino}`;
}

export function toEntry(path: string, stats: BigIntStats): FileEntry {
  const type = typeOf(stats);
  return { name: path.slice(path.lastIndexOf("/") + 1), path, type, size: type === "file" ? Number(stats.size) : 0, mtime: mtimeOf(stats) };
}
