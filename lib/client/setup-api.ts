/** What sessions are set up from: projects, profiles, models, commands; and the server itself (contract 3.2, 3.4). */
import { z } from "zod";
import {
  commandAnswerSchema,
  commandListSchema,
  healthSchema,
  modelListSchema,
  okSchema,
  profileAnswerSchema,
  profileListSchema,
  projectAnswerSchema,
  projectListSchema,
  usageTotalsSchema,
} from "./answers";
import { withQuery, type HttpClient } from "./http-client";

const COMMAND_TIMEOUT_MS = 30_000;
const HEALTH_TIMEOUT_MS = 3_000;
const anySchema = z.unknown();

export type SetupApi = ReturnType<typeof createSetupApi>;

export function createSetupApi(http: HttpClient) {
  return {
    projects: () => http.call("GET", "/api/projects", projectListSchema),
    createProject: (body: { readonly name: string; readonly color?: string | null }) => http.call("POST", "/api/projects", projectAnswerSchema, { body }),
    changeProject: (projectId: string, body: { readonly name?: string; readonly color?: string | null }) =>
      http.call("PATCH", `/api/projects/${encodeURIComponent(projectId)}`, projectAnswerSchema, { body }),
    removeProject: (projectId: string) => http.call("DELETE", `/api/projects/${encodeURIComponent(projectId)}`, okSchema),
    profiles: () => http.call("GET", "/api/profiles", profileListSchema),
    createProfile: (body: { readonly name: string; readonly clone_from?: string }) => http.call("POST", "/api/profiles", profileAnswerSchema, { body }),
    changeProfile: (name: string, body: { readonly new_name?: string; readonly provider?: string | null; readonly model?: string | null }) =>
      http.call("PATCH", `/api/profiles/${encodeURIComponent(name)}`, profileAnswerSchema, { body }),
    removeProfile: (name: string) => http.call("DELETE", `/api/profiles/${encodeURIComponent(name)}`, okSchema),
    models: (profile?: string) => http.call("GET", withQuery("/api/models", { profile }), modelListSchema),
    commands: () => http.call("GET", "/api/commands", commandListSchema),
    runCommand: (sessionId: string, text: string) =>
      http.call("POST", "/api/commands", commandAnswerSchema, { body: { session_id: sessionId, text }, timeout_ms: COMMAND_TIMEOUT_MS }),
    usage: (days = 30) => http.call("GET", withQuery("/api/usage", { days }), usageTotalsSchema),
    health: () => http.call("GET", "/api/health", healthSchema, { timeout_ms: HEALTH_TIMEOUT_MS }),
    diagnostics: (sessionId?: string) => http.call("GET", withQuery("/api/diagnostics", { session_id: sessionId }), anySchema),
    login: (password: string) => http.call("POST", "/api/auth/login", anySchema, { body: { password } }),
    logout: () => http.call("POST", "/api/auth/logout", anySchema, { body: {} }),
  };
}
