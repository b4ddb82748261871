/**
 * The few routes that only this page uses and that are not part of the client's own API: read marks
 * and background processes. Every call answers a value, as all of the client's do.
 */
import { z } from "zod";
import type { ApiResult } from "#client/api-result";
import { createHttpClient, type Fetch } from "#client/http-client";

const processSchema = z.looseObject({
  process_id: z.string(),
  command: z.string(),
  started_at: z.number(),
  ended_at: z.number().nullable(),
});
const processListSchema = z.looseObject({ processes: z.array(processSchema) });
export type ProcessList = z.infer<typeof processListSchema>;

export interface PageRoutes {
  /** Everything of the session up to this event has been on a screen. */
  markSeen(sessionId: string, eventId: string): Promise<ApiResult<unknown>>;
  processes(sessionId: string): Promise<ApiResult<ProcessList>>;
  stopProcess(sessionId: string, processId: string): Promise<ApiResult<unknown>>;
}

export function createPageRoutes(options: { readonly basePath: string; readonly fetch: Fetch }): PageRoutes {
  const http = createHttpClient(options);
  const at = (sessionId: string, rest: string): string => `/api/sessions/${encodeURIComponent(sessionId)}${rest}`;
  return {
    markSeen: (sessionId, eventId) => http.call("POST", at(sessionId, "/seen"), z.unknown(), { body: { event_id: eventId } }),
    processes: (sessionId) => http.call("GET", at(sessionId, "/processes"), processListSchema),
    stopProcess: (sessionId, processId) =>
      http.call("DELETE", at(sessionId, "/processes"), z.unknown(), { body: { process_id: processId }, timeout_ms: 30_000 }),
  };
}
