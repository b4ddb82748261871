/** Sessions and the ways to change their story (contract 3.2). */
import { openedSessionSchema, sessionListSchema } from "#protocol/session-shapes";
import { okSchema, processListSchema, searchSchema, sessionActionSchema, sessionAnswerSchema } from "./answers";
import { withQuery, type HttpClient } from "./http-client";

export interface SessionListQuery {
  readonly query?: string;
  readonly project_id?: string;
  readonly profile?: string;
  readonly archived?: boolean;
  readonly limit?: number;
  readonly cursor?: string;
}

export interface SessionBody {
  readonly title?: string;
  readonly profile?: string;
  readonly project_id?: string | null;
  readonly workspace?: string;
  readonly provider?: string | null;
  readonly model?: string | null;
}
export interface SessionChange extends SessionBody {
  readonly pinned?: boolean;
  readonly archived?: boolean;
  /** Null: the model's default. */
  readonly reasoning?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | null;
}

export type ExportFormat = "json" | "md" | "html";

/** Deleting cancels what runs and waits for it. */
const DELETE_TIMEOUT_MS = 40_000;
const STOP_TIMEOUT_MS = 20_000;
const IMPORT_TIMEOUT_MS = 120_000;

export type SessionApi = ReturnType<typeof createSessionApi>;

export function createSessionApi(http: HttpClient) {
  const at = (sessionId: string, rest = "") => `/api/sessions/${encodeURIComponent(sessionId)}${rest}`;
  return {
    list: (query: SessionListQuery = {}, signal?: AbortSignal) =>
      http.call("GET", withQuery("/api/sessions", { ...query }), sessionListSchema, signal === undefined ? {} : { signal }),
    create: (body: SessionBody = {}) => http.call("POST", "/api/sessions", sessionAnswerSchema, { body }),
    /** Folded views and the cursor from which a stream goes on; `before`: an older page, ending before that run. */
    open: (sessionId: string, page: { readonly runs?: number; readonly before?: string } = {}, signal?: AbortSignal) =>
      http.call("GET", withQuery(at(sessionId), page), openedSessionSchema, signal === undefined ? {} : { signal }),
    change: (sessionId: string, change: SessionChange) => http.call("PATCH", at(sessionId), sessionAnswerSchema, { body: change }),
    remove: (sessionId: string) => http.call("DELETE", at(sessionId), okSchema, { timeout_ms: DELETE_TIMEOUT_MS }),
    branch: (sessionId: string, body: { readonly run_id?: string; readonly title?: string } = {}) =>
      http.call("POST", at(sessionId, "/branch"), sessionActionSchema, { body }),
    retry: (sessionId: string, body: { readonly run_id?: string; readonly message?: string } = {}) =>
      http.call("POST", at(sessionId, "/retry"), sessionActionSchema, { body }),
    undo: (sessionId: string, count = 1) => http.call("POST", at(sessionId, "/undo"), sessionActionSchema, { body: { count } }),
    restore: (sessionId: string) => http.call("POST", at(sessionId, "/undo"), sessionActionSchema, { body: { restore: true } }),
    compress: (sessionId: string, focus?: string) =>
      http.call("POST", at(sessionId, "/compress"), sessionActionSchema, { body: focus === undefined ? {} : { focus } }),
    /** `within`: only places in this session, newest first. */
    search: (text: string, within: string | null = null, signal?: AbortSignal) =>
      http.call("GET", withQuery("/api/sessions/search", { q: text, session_id: within }), searchSchema, signal === undefined ? {} : { signal }),
    /** The person has seen the session up to this event (null: to its end); it is unread no more, on any device. */
    markSeen: (sessionId: string, eventId: string | null) => http.call("POST", at(sessionId, "/seen"), okSchema, { body: { event_id: eventId } }),
    processes: (sessionId: string) => http.call("GET", at(sessionId, "/processes"), processListSchema),
    stopProcess: (sessionId: string, processId: string) =>
      http.call("DELETE", at(sessionId, "/processes"), okSchema, { body: { process_id: processId }, timeout_ms: STOP_TIMEOUT_MS }),
    exportUrl: (sessionId: string, format: ExportFormat) => http.url(withQuery(at(sessionId, "/export"), { format })),
    /** `exported`: what a JSON export holds, parsed. */
    import: (exported: unknown) =>
      http.call("POST", "/api/sessions/import", sessionAnswerSchema, { body: exported, timeout_ms: IMPORT_TIMEOUT_MS }),
  };
}
