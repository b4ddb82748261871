/**
 * F1 A change made outside is never lost. What a run has read or written of a file is remembered by
 * its version; a tool that finds another version on disk refuses and asks to read again. The version
 * that was looked at here is also the condition of the write that follows.
 */
import { AppError } from "#protocol/errors";
import { openFile, readStart } from "#workspace/read";
import type { WriteCondition } from "#workspace/write";
import type { ToolContext } from "./tool-port";

export interface CurrentFile {
  /** Null where the file is not there, or is larger than the limit. */
  readonly bytes: Buffer | null;
  readonly exists: boolean;
  /** Bytes on disk. */
  readonly size: number;
  /** The path as the person knows it, below the workspace. */
  readonly path: string;
  readonly condition: WriteCondition;
}

function refuseIfChanged(context: ToolContext, key: string, version: string, path: string): void {
  const read = context.reads.get(key);
  if (read !== undefined && read !== version) {
    throw new AppError("changed_on_disk", `${path} changed on disk since you last read or wrote it. Read it again, then make the change anew.`);
  }
}

/** Errors: those of `openFile` but `not_found`; `changed_on_disk`. `limit` in bytes. */
export async function readCurrent(context: ToolContext, path: string, limit: number): Promise<CurrentFile> {
  try {
    const { handle, entry, key, version } = await openFile(context.workspace, path);
    try {
      refuseIfChanged(context, key, version, entry.path);
      const bytes = entry.size > limit ? null : await readStart(handle, entry.size + 1);
      return { bytes, exists: true, size: entry.size, path: entry.path, condition: { kind: "version", version } };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    return { bytes: null, exists: false, size: 0, path, condition: { kind: "new" } };
  }
}
