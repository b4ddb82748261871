/** The session's workspace and its attachments (contract 3.3). */
import { fileSearchSchema, workspaceDiffSchema } from "#protocol/file-shapes";
import { fileChangeAnswerSchema, filesSchema } from "./answers";
import { withQuery, type HttpClient } from "./http-client";
import { uploadAttachment, type CreateUploadRequest, type UploadOptions } from "./upload-attachment";

const SEARCH_TIMEOUT_MS = 30_000;

export type FileApi = ReturnType<typeof createFileApi>;

export function createFileApi(http: HttpClient, createUploadRequest: CreateUploadRequest) {
  const change = (rest: string, body: Readonly<Record<string, unknown>>) => http.call("POST", `/api/files/${rest}`, fileChangeAnswerSchema, { body });
  return {
    read: (sessionId: string, path: string) => http.call("GET", withQuery("/api/files", { session_id: sessionId, path }), filesSchema),
    /** `expectedMtime` null: a new file. Another mtime on disk is `changed_on_disk`. */
    write: (sessionId: string, path: string, content: string, expectedMtime: number | null) =>
      http.call("PUT", "/api/files", fileChangeAnswerSchema, { body: { session_id: sessionId, path, content, expected_mtime: expectedMtime } }),
    makeFolder: (sessionId: string, path: string) => change("mkdir", { session_id: sessionId, path }),
    rename: (sessionId: string, from: string, to: string) => change("rename", { session_id: sessionId, from, to }),
    remove: (sessionId: string, path: string, recursive = false) => change("delete", { session_id: sessionId, path, recursive }),
    rawUrl: (sessionId: string, path: string) => http.url(withQuery("/api/files/raw", { session_id: sessionId, path })),
    diff: (sessionId: string) => http.call("GET", withQuery("/api/files/diff", { session_id: sessionId }), workspaceDiffSchema, { timeout_ms: SEARCH_TIMEOUT_MS }),
    search: (sessionId: string, text: string, signal?: AbortSignal) =>
      http.call("GET", withQuery("/api/files/search", { session_id: sessionId, q: text }), fileSearchSchema, {
        timeout_ms: SEARCH_TIMEOUT_MS,
        ...(signal === undefined ? {} : { signal }),
      }),
    upload: (sessionId: string, file: File, options: UploadOptions) =>
      uploadAttachment({ url: http.url("/api/attachments"), sessionId, file, createRequest: createUploadRequest, ...options }),
    attachmentUrl: (attachmentId: string) => http.url(`/api/attachments/${encodeURIComponent(attachmentId)}`),
  };
}
