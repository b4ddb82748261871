/** What the files of a checkpoint are now: the diff of a workspace that has no git. Bounded in time and length. */
import { AppError } from "#protocol/errors";
import type { SessionId } from "#protocol/ids";
import { type KeptFile, readCheckpoint } from "./checkpoint";
import { diffFile, type FileDiff, headerOnly } from "./file-diff";
import { openFile, readStart } from "./read";

const MAX_BYTES_NOW = 4 * 1024 * 1024;
const TIME_LIMIT_MS = 10_000;

type FileNow = { readonly now: "absent" } | { readonly now: "bytes"; readonly bytes: Uint8Array } | { readonly now: "unknown" };

async function readNow(root: string, path: string): Promise<FileNow> {
  try {
    const { handle, entry } = await openFile(root, path);
    try {
      return entry.size > MAX_BYTES_NOW ? { now: "unknown" } : { now: "bytes", bytes: await readStart(handle, entry.size) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // A link or a folder in its place has no text to show.
    return { now: error.code === "not_found" ? "absent" : "unknown" };
  }
}

/** Null where nothing changed. */
async function changeOf(root: string, kept: KeptFile): Promise<FileDiff | null> {
  const found = await readNow(root, kept.path);
  if (found.now === "absent") {
    if (kept.before === "absent") return null;
    return kept.before === "bytes" ? diffFile(kept.path, kept.bytes, null) : headerOnly(kept.path, "deleted");
  }
  if (found.now === "unknown" || kept.before === "unknown") return headerOnly(kept.path, kept.before === "absent" ? "created" : "changed");
  if (kept.before === "absent") return diffFile(kept.path, null, found.bytes);
  return Buffer.compare(kept.bytes, found.bytes) === 0 ? null : diffFile(kept.path, kept.bytes, found.bytes);
}

export interface CheckpointChanges {
  readonly changes: readonly FileDiff[];
  readonly complete: boolean;
}

/** `root`: real path of the workspace. Null where the session has no checkpoint of it. */
export async function changesSinceCheckpoint(stateDir: string, session: SessionId, root: string, signal: AbortSignal): Promise<CheckpointChanges | null> {
  const checkpoint = await readCheckpoint(stateDir, session, root);
  if (checkpoint === null) return null;
  const until = performance.now() + TIME_LIMIT_MS;
  const changes: FileDiff[] = [];
  for (const kept of checkpoint.files) {
    if (signal.aborted || performance.now() > until) return { changes, complete: false };
    const change = await changeOf(root, kept);
    if (change !== null) changes.push(change);
  }
  return { changes, complete: checkpoint.complete };
}
