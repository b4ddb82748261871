/** What a profile's home holds, as the settings page sees and changes it: keys, texts, lasting approvals, MCP servers. */
import { allowlistSchema, keyListSchema, mcpListSchema, openedTextSchema, textListSchema } from "#protocol/profile-shapes";
import { withQuery, type HttpClient } from "./http-client";

/** A server that is starting is asked about, never waited for; the runner has its own bound below this one. */
const MCP_TIMEOUT_MS = 10_000;

export type ProfileApi = ReturnType<typeof createProfileApi>;

export function createProfileApi(http: HttpClient) {
  const at = (profile: string, rest: string) => `/api/profiles/${encodeURIComponent(profile)}/${rest}`;
  return {
    keys: (profile: string) => http.call("GET", at(profile, "keys"), keyListSchema),
    /** Null takes a variable out. */
    changeKeys: (profile: string, values: Readonly<Record<string, string | null>>) => http.call("PATCH", at(profile, "keys"), keyListSchema, { body: { values } }),
    texts: (profile: string) => http.call("GET", at(profile, "texts"), textListSchema),
    readText: (profile: string, path: string) => http.call("GET", withQuery(at(profile, "text"), { path }), openedTextSchema),
    /** `expectedMtime` null: a new text. Another one on disk is `changed_on_disk`. */
    writeText: (profile: string, path: string, content: string, expectedMtime: number | null) =>
      http.call("PUT", at(profile, "text"), openedTextSchema, { body: { path, content, expected_mtime: expectedMtime } }),
    allowlist: (profile: string) => http.call("GET", at(profile, "allowlist"), allowlistSchema),
    disallow: (profile: string, pattern: string) => http.call("DELETE", at(profile, "allowlist"), allowlistSchema, { body: { pattern } }),
    mcp: (profile: string) => http.call("GET", at(profile, "mcp"), mcpListSchema, { timeout_ms: MCP_TIMEOUT_MS }),
  };
}
