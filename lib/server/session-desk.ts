/** Sessions and projects as routes use them: the sessions room's functions, bound to this server's room. */
import { branchSession, type BranchRequest } from "#sessions/branch-session";
import { createSession, type SessionWishes } from "#sessions/create-session";
import { deleteSession } from "#sessions/delete-session";
import { exportJson } from "#sessions/export-session";
import { importSession } from "#sessions/import-session";
import { listSessions, type SessionFilter } from "#sessions/list-sessions";
import { openSession, type OpenRequest } from "#sessions/open-session";
import { patchSession, type SessionChanges } from "#sessions/patch-session";
import { readPendingPrompts } from "#sessions/pending-prompts";
import { createProject, deleteProject, listProjects, patchProject, requireProject } from "#sessions/projects";
import { listQueue } from "#sessions/queue-list";
import { markSeen } from "#sessions/read-marks";
import { restoreRuns, undoRuns } from "#sessions/rewind";
import { listRuns } from "#sessions/run-list";
import { searchInSession, searchSessions } from "#sessions/search-sessions";
import type { SessionDefaults } from "#sessions/session-defaults";
import { readSummary } from "#sessions/session-summary";
import type { SessionsRoom } from "#sessions/sessions-room";
import { transcriptViews } from "#sessions/transcript-views";
import { usageTotals } from "#sessions/usage-totals";
import type { Runtime } from "#runtime/runtime-adapter";
import type { AttachmentDesk } from "./attachment-desk";
import { taken } from "./outcome";

export interface SessionDeskPlan {
  readonly room: SessionsRoom;
  readonly defaults: SessionDefaults;
  readonly runtime: Pick<Runtime, "controls">;
  readonly attachments: AttachmentDesk;
}

export type SessionDesk = ReturnType<typeof createSessionDesk>;

export function createSessionDesk({ room, defaults, runtime, attachments }: SessionDeskPlan) {
  return {
    createId: room.createId,
    list: (filter: SessionFilter) => listSessions(room, filter),
    create: (wishes: SessionWishes) => createSession(room, defaults, wishes),
    /** Its summary; throws `session_not_found`. */
    read: (sessionId: string) => readSummary(room, sessionId),
    open: (request: OpenRequest) => openSession(room, request),
    patch: (sessionId: string, changes: SessionChanges) => patchSession(room, defaults, sessionId, changes),
    /** Cancels what runs, waits for its end, then deletes. */
    remove: (sessionId: string) =>
      deleteSession(
        room,
        {
          quiesce: async (id) => void taken(await runtime.controls.quiesce(id)),
          removeFiles: (id) => attachments.removeOfSession(id),
        },
        sessionId,
      ),
    runs: (request: Parameters<typeof listRuns>[1]) => listRuns(room, request),
    branch: (request: BranchRequest) => branchSession(room, attachments.copy, request),
    undo: (sessionId: string, count: number) => undoRuns(room, sessionId, count),
    restore: (sessionId: string) => restoreRuns(room, sessionId),
    search: (words: string) => searchSessions(room, words),
    /** Throws `session_not_found`. */
    searchIn: async (sessionId: string, words: string) => {
      const { session_id } = await readSummary(room, sessionId);
      return searchInSession(room, session_id, words);
    },
    importFile: (file: unknown) => importSession(room, defaults, file),
    exportJson: (sessionId: string) => exportJson(room, sessionId),
    transcript: (sessionId: string) => transcriptViews(room, sessionId),
    queue: (sessionId: string) => listQueue(room, sessionId),
    prompts: (sessionId: string) => readPendingPrompts(room, sessionId),
    markSeen: (sessionId: string, eventId: string | null) => markSeen(room, sessionId, eventId),
    usage: (days: number) => usageTotals(room, days),
  };
}

export type ProjectDesk = ReturnType<typeof createProjectDesk>;

export function createProjectDesk(room: SessionsRoom) {
  return {
    list: () => listProjects(room),
    require: (projectId: string) => requireProject(room, projectId),
    create: (wishes: Parameters<typeof createProject>[1]) => createProject(room, wishes),
    patch: (projectId: string, wanted: Parameters<typeof patchProject>[2]) => patchProject(room, projectId, wanted),
    remove: (projectId: string) => deleteProject(room, projectId),
  };
}
