/** Files of a session's workspace as routes use them: the session says which folder, the workspace room keeps everything in it. */
import type { Database } from "#db/database";
import { readSummary } from "#sessions/session-summary";
import { deletePath } from "#workspace/delete";
import type { FileSearch, WorkspaceDiff } from "#protocol/file-shapes";
import { diffWorkspace } from "#workspace/diff";
import type { FileEntry } from "#workspace/file-entry";
import type { FolderView } from "#workspace/list";
import { makeFolder } from "#workspace/make-folder";
import { detectMediaType, MEDIA_PROBE_BYTES } from "#workspace/media-type";
import { openFile, readStart, type FileView } from "#workspace/read";
import { readPlace } from "#workspace/read-place";
import { renamePath } from "#workspace/rename";
import { searchWorkspace } from "#workspace/search";
import { conditionOfMtime, writeFile } from "#workspace/write";
import { fileAnswer } from "./file-answer";
import { requireId } from "./known-id";

/** Every method throws `session_not_found`, and what its function of the workspace room throws. */
export class FileDesk {
  readonly #plan: { readonly database: Database; readonly stateDirectory: string };

  constructor(plan: { readonly database: Database; readonly stateDirectory: string }) {
    this.#plan = plan;
  }

  async read(sessionId: string, path: string): Promise<FolderView | FileView> {
    return readPlace(await this.#workspace(sessionId), path);
  }

  /** `expectedMtime` null: a new file. */
  async write(sessionId: string, path: string, content: string, expectedMtime: number | null): Promise<FileEntry> {
    return (await writeFile(await this.#workspace(sessionId), path, content, conditionOfMtime(expectedMtime))).entry;
  }

  async makeFolder(sessionId: string, path: string): Promise<FileEntry> {
    return makeFolder(await this.#workspace(sessionId), path);
  }

  async rename(sessionId: string, from: string, to: string): Promise<FileEntry> {
    return renamePath(await this.#workspace(sessionId), from, to);
  }

  async remove(sessionId: string, path: string, recursive: boolean): Promise<void> {
    await deletePath(await this.#workspace(sessionId), path, recursive);
  }

  async diff(sessionId: string, signal: AbortSignal): Promise<WorkspaceDiff> {
    const checkpoint = { state_dir: this.#plan.stateDirectory, session_id: requireId("ses", sessionId) };
    return (await diffWorkspace(await this.#workspace(sessionId), { signal, checkpoint })) ?? { kind: "none", diff: "", files: [], truncated: false };
  }

  async search(sessionId: string, words: string, signal: AbortSignal): Promise<FileSearch> {
    return searchWorkspace(await this.#workspace(sessionId), words, signal);
  }

  /** The file byte for byte. */
  async raw(sessionId: string, path: string, request: Request): Promise<Response> {
    const { handle, entry } = await openFile(await this.#workspace(sessionId), path);
    try {
      const head = await readStart(handle, Math.min(MEDIA_PROBE_BYTES, entry.size));
      const mime = await detectMediaType(entry.name, head, head.length === entry.size);
      return await fileAnswer(request, { handle, name: entry.name, mime, size: entry.size });
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async #workspace(sessionId: string): Promise<string> {
    return (await readSummary(this.#plan, requireId("ses", sessionId))).workspace;
  }
}
