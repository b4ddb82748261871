/** Bad input over every route: the documented code, no state change, no stack trace. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as approvalPending from "../../app/api/approval/pending/route";
import * as approvalRespond from "../../app/api/approval/respond/route";
import * as attachment from "../../app/api/attachments/[id]/route";
import * as chatCancel from "../../app/api/chat/cancel/route";
import * as chatStart from "../../app/api/chat/start/route";
import * as chatStream from "../../app/api/chat/stream/route";
import * as chatStatus from "../../app/api/chat/stream/status/route";
import * as clarifyPending from "../../app/api/clarify/pending/route";
import * as clarifyRespond from "../../app/api/clarify/respond/route";
import * as commands from "../../app/api/commands/route";
import * as diagnostics from "../../app/api/diagnostics/route";
import * as files from "../../app/api/files/route";
import * as filesDelete from "../../app/api/files/delete/route";
import * as filesDiff from "../../app/api/files/diff/route";
import * as filesMkdir from "../../app/api/files/mkdir/route";
import * as filesRaw from "../../app/api/files/raw/route";
import * as filesRename from "../../app/api/files/rename/route";
import * as filesSearch from "../../app/api/files/search/route";
import * as goal from "../../app/api/goal/route";
import * as profile from "../../app/api/profiles/[name]/route";
import * as profiles from "../../app/api/profiles/route";
import * as project from "../../app/api/projects/[id]/route";
import * as projects from "../../app/api/projects/route";
import * as queue from "../../app/api/queue/route";
import * as queueResume from "../../app/api/queue/resume/route";
import * as branch from "../../app/api/sessions/[id]/branch/route";
import * as compress from "../../app/api/sessions/[id]/compress/route";
import * as exported from "../../app/api/sessions/[id]/export/route";
import * as processes from "../../app/api/sessions/[id]/processes/route";
import * as retry from "../../app/api/sessions/[id]/retry/route";
import * as session from "../../app/api/sessions/[id]/route";
import * as sessionRuns from "../../app/api/sessions/[id]/runs/route";
import * as seen from "../../app/api/sessions/[id]/seen/route";
import * as sessionStream from "../../app/api/sessions/[id]/stream/route";
import * as undo from "../../app/api/sessions/[id]/undo/route";
import * as imported from "../../app/api/sessions/import/route";
import * as sessions from "../../app/api/sessions/route";
import * as search from "../../app/api/sessions/search/route";
import * as yolo from "../../app/api/session/yolo/route";
import { openRouteHarness, type RouteAnswer, type RouteHarness, type RouteRequest } from "#testing/route-harness";
import type { RouteHandler } from "./handle";

let harness: RouteHarness;
let victim = "";
beforeAll(async () => {
  harness = await openRouteHarness();
  victim = (await harness.server.sessions.create({ title: "Victim" })).session_id;
});
afterAll(() => harness.close());

/** Ids that are not there, or cannot be. */
const UNKNOWN_IDS = ["ses_none", "run_none", "", "../x", "/tmp/victim", "a/b", "..\\x", "con", "ses_\u0000", "ses_é", "__proto__", "constructor", "x".repeat(10_000), `ses_${"A".repeat(10_000)}`];

interface Changing {
  readonly name: string;
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly handler: RouteHandler;
  readonly body: Readonly<Record<string, unknown>>;
  /** Fields that must be there. */
  readonly required: readonly string[];
  /** Fields with a value of the wrong type. */
  readonly wrong: Readonly<Record<string, unknown>>;
  /** The field (or the path) that names a session, run, project or queue item, and what an unknown one is answered. */
  readonly named: { readonly field: string; readonly status: number; readonly code: string } | null;
}

const NO_SESSION = (field = "session_id") => ({ field, status: 404, code: "session_not_found" });
const inPath = { field: "", status: 404, code: "session_not_found" };

const CHANGING: readonly Changing[] = [
  { name: "chat/start", method: "POST", handler: chatStart.POST, body: { message: "hi" }, required: ["message"], wrong: { message: 5, attachments: "x", session_id: 7, toolsets: {} }, named: NO_SESSION() },
  { name: "chat/cancel", method: "POST", handler: chatCancel.POST, body: { stream_id: "run_none" }, required: ["stream_id"], wrong: { stream_id: {} }, named: { field: "stream_id", status: 404, code: "stream_not_found" } },
  { name: "approval/respond", method: "POST", handler: approvalRespond.POST, body: { session_id: "ses_none", approval_id: "apr_1", choice: "once" }, required: ["session_id", "approval_id", "choice"], wrong: { choice: "yes", approval_id: [] }, named: { field: "session_id", status: 409, code: "not_active" } },
  { name: "clarify/respond", method: "POST", handler: clarifyRespond.POST, body: { session_id: "ses_none", clarify_id: "clr_1", response: "x" }, required: ["session_id", "clarify_id", "response"], wrong: { response: 5, answers: { q: 5 } }, named: { field: "session_id", status: 409, code: "not_active" } },
  { name: "queue", method: "POST", handler: queue.POST, body: { session_id: "ses_none", message: "x", mode: "queue" }, required: ["session_id", "message", "mode"], wrong: { mode: "later", message: null }, named: NO_SESSION() },
  { name: "queue", method: "PATCH", handler: queue.PATCH, body: { queue_id: "que_none" }, required: ["queue_id"], wrong: { message: 5, mode: "x" }, named: { field: "queue_id", status: 404, code: "not_found" } },
  { name: "queue", method: "DELETE", handler: queue.DELETE, body: { queue_id: "que_none" }, required: ["queue_id"], wrong: { queue_id: 5 }, named: { field: "queue_id", status: 404, code: "not_found" } },
  { name: "queue/resume", method: "POST", handler: queueResume.POST, body: { session_id: "ses_none" }, required: ["session_id"], wrong: { session_id: [] }, named: NO_SESSION() },
  { name: "goal", method: "POST", handler: goal.POST, body: { session_id: "ses_none", action: "set", text: "win" }, required: ["session_id", "action", "text"], wrong: { action: "x", text: 5 }, named: NO_SESSION() },
  { name: "session/yolo", method: "POST", handler: yolo.POST, body: { session_id: "ses_none", enabled: true }, required: ["session_id", "enabled"], wrong: { enabled: "yes" }, named: NO_SESSION() },
  { name: "sessions", method: "POST", handler: sessions.POST, body: { workspace: "relative" }, required: [], wrong: { title: 5, model: {} }, named: { field: "project_id", status: 404, code: "not_found" } },
  { name: "sessions/{id}", method: "PATCH", handler: session.PATCH, body: { pinned: true }, required: [], wrong: { pinned: "yes", title: 5 }, named: inPath },
  { name: "sessions/{id}", method: "DELETE", handler: session.DELETE, body: {}, required: [], wrong: {}, named: inPath },
  { name: "branch", method: "POST", handler: branch.POST, body: { run_id: "run_none" }, required: [], wrong: { run_id: 5, title: [] }, named: inPath },
  { name: "retry", method: "POST", handler: retry.POST, body: {}, required: [], wrong: { run_id: 5, message: "" }, named: inPath },
  { name: "compress", method: "POST", handler: compress.POST, body: {}, required: [], wrong: { focus: 5 }, named: inPath },
  { name: "undo", method: "POST", handler: undo.POST, body: {}, required: [], wrong: { count: 0, restore: "yes" }, named: inPath },
  { name: "seen", method: "POST", handler: seen.POST, body: {}, required: [], wrong: { event_id: 5 }, named: inPath },
  { name: "processes", method: "DELETE", handler: processes.DELETE, body: { process_id: "prc_none" }, required: ["process_id"], wrong: { process_id: 5 }, named: null },
  { name: "import", method: "POST", handler: imported.POST, body: { format: "hermes-session" }, required: ["format"], wrong: { version: "1" }, named: null },
  { name: "projects", method: "POST", handler: projects.POST, body: { name: "" }, required: ["name"], wrong: { name: 5, color: "red" }, named: null },
  { name: "projects/{id}", method: "PATCH", handler: project.PATCH, body: { name: "x" }, required: [], wrong: { name: 5, color: "#12345" }, named: { field: "", status: 404, code: "not_found" } },
  { name: "projects/{id}", method: "DELETE", handler: project.DELETE, body: {}, required: [], wrong: {}, named: { field: "", status: 404, code: "not_found" } },
  { name: "profiles", method: "POST", handler: profiles.POST, body: {}, required: ["name"], wrong: { name: 5 }, named: null },
  { name: "profiles/{name}", method: "PATCH", handler: profile.PATCH, body: { model: "m" }, required: [], wrong: { model: 5, new_name: {} }, named: { field: "", status: 404, code: "profile_not_found" } },
  { name: "commands", method: "POST", handler: commands.POST, body: { session_id: "ses_none", text: "/help" }, required: ["session_id", "text"], wrong: { text: 5 }, named: NO_SESSION() },
  { name: "files", method: "PUT", handler: files.PUT, body: { session_id: "ses_none", path: "a", content: "x", expected_mtime: null }, required: ["session_id", "path", "content", "expected_mtime"], wrong: { content: 5, expected_mtime: "now" }, named: NO_SESSION() },
  { name: "files/mkdir", method: "POST", handler: filesMkdir.POST, body: { session_id: "ses_none", path: "a" }, required: ["session_id", "path"], wrong: { path: 5 }, named: NO_SESSION() },
  { name: "files/rename", method: "POST", handler: filesRename.POST, body: { session_id: "ses_none", from: "a", to: "b" }, required: ["session_id", "from", "to"], wrong: { to: 5 }, named: NO_SESSION() },
  { name: "files/delete", method: "POST", handler: filesDelete.POST, body: { session_id: "ses_none", path: "a", recursive: true }, required: ["session_id", "path"], wrong: { recursive: "x" }, named: NO_SESSION() },
];

const READING: readonly { readonly name: string; readonly handler: RouteHandler; readonly field: string; readonly code: string; readonly more?: string }[] = [
  { name: "chat/stream", handler: chatStream.GET, field: "stream_id", code: "stream_not_found" },
  { name: "chat/stream/status", handler: chatStatus.GET, field: "stream_id", code: "stream_not_found" },
  { name: "approval/pending", handler: approvalPending.GET, field: "session_id", code: "session_not_found" },
  { name: "clarify/pending", handler: clarifyPending.GET, field: "session_id", code: "session_not_found" },
  { name: "queue", handler: queue.GET, field: "session_id", code: "session_not_found" },
  { name: "goal", handler: goal.GET, field: "session_id", code: "session_not_found" },
  { name: "files", handler: files.GET, field: "session_id", code: "session_not_found" },
  { name: "files/raw", handler: filesRaw.GET, field: "session_id", code: "session_not_found", more: "path=a" },
  { name: "files/diff", handler: filesDiff.GET, field: "session_id", code: "session_not_found" },
  { name: "files/search", handler: filesSearch.GET, field: "session_id", code: "session_not_found", more: "q=a" },
  { name: "sessions/{id}", handler: session.GET, field: "", code: "session_not_found" },
  { name: "sessions/{id}/stream", handler: sessionStream.GET, field: "", code: "session_not_found" },
  { name: "sessions/{id}/runs", handler: sessionRuns.GET, field: "", code: "session_not_found" },
  { name: "sessions/{id}/export", handler: exported.GET, field: "", code: "session_not_found" },
  { name: "sessions/{id}/processes", handler: processes.GET, field: "", code: "session_not_found" },
  { name: "attachments/{id}", handler: attachment.GET, field: "", code: "not_found" },
  { name: "diagnostics", handler: diagnostics.GET, field: "session_id", code: "session_not_found" },
];

const TABLES = ["sessions", "runs", "events", "queue_items", "projects", "attachments"];
async function state(): Promise<unknown> {
  const results = await harness.server.database.read(TABLES.map((table) => `SELECT * FROM ${table} ORDER BY 1`));
  return results.map((result) => result.rows.map((row) => ({ ...row })));
}

async function refused(handler: RouteHandler, request: RouteRequest, status: number, code: string): Promise<RouteAnswer> {
  const before = await state();
  const answer = await harness.call(handler, request);
  expect([answer.status, answer.json["error"]]).toMatchObject([status, { code, message: expect.any(String) }]);
  expect(JSON.stringify(answer.json)).not.toMatch(/\bat .*\.(ts|js):\d+|node_modules|SQLITE|Error:/);
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(await state()).toEqual(before);
  return answer;
}

/** A path name that is there, so that only what is tested is wrong. */
const params = (): Readonly<Record<string, string>> => ({ id: victim, name: "default" });
const json = { "content-type": "application/json" };

describe.each(CHANGING)("$method $name", ({ method, handler, body, required, wrong, named }) => {
  test("malformed JSON is invalid_json", async () => {
    for (const text of ["{", "{]", "\u0000", "nope", '{"a":1,}', "\ufeff{"]) await refused(handler, { method, body: text, headers: json, params: params() }, 400, "invalid_json");
    await refused(handler, { method, body: new Uint8Array([0x22, 0xff, 0xfe, 0x22]), headers: json, params: params() }, 400, "invalid_json");
  });

  test("another content type, another site, another host and another machine are refused", async () => {
    const text = JSON.stringify(body);
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]) {
      await refused(handler, { method, body: text, headers: { "content-type": type }, params: params() }, 415, "unsupported_media_type");
    }
    const foreign: readonly Readonly<Record<string, string>>[] = [{ origin: "http://evil.test" }, { origin: "null" }, { "sec-fetch-site": "cross-site" }];
    for (const headers of foreign) {
      await refused(handler, { method, body, headers, params: params() }, 403, "origin_not_allowed");
    }
    await refused(handler, { method, body, headers: { host: "evil.test:8787" }, params: params() }, 403, "host_not_allowed");
    await refused(handler, { method, body, peer: "203.0.113.5", params: params() }, 403, "remote_not_allowed");
    // It came before this process could know its peers.
    await refused(handler, { method, body, peer: null, params: params() }, 503, "runner_unavailable");
  });

  test("a body above the limit is refused while it streams, whatever length was announced", async () => {
    const limit = handler === imported.POST ? 25 : 1;
    const chunk = new Uint8Array(256 * 1024).fill(32);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += chunk.byteLength;
        controller.enqueue(chunk);
      },
    });
    await refused(handler, { method, body: endless, headers: json, params: params() }, 413, "too_large");
    expect(sent).toBeLessThanOrEqual(limit * 1024 * 1024 + 4 * chunk.byteLength);
    await refused(handler, { method, body: "{}", headers: { ...json, "content-length": String(limit * 1024 * 1024 + 1) }, params: params() }, 413, "too_large");
  });

  test("what is missing or of the wrong type is named", async () => {
    for (const field of required) {
      const rest = Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
      const answer = await refused(handler, { method, body: rest, params: params() }, 400, "invalid_request");
      expect(answer.json["error"]).toMatchObject({ issues: expect.arrayContaining([expect.objectContaining({ path: field })]) });
    }
    for (const [field, value] of Object.entries(wrong)) {
      const answer = await refused(handler, { method, body: { ...body, [field]: value }, params: params() }, 400, "invalid_request");
      expect(JSON.stringify(answer.json)).toContain(field);
    }
    if (required.length > 0) for (const value of [[], "text", 5, null]) await refused(handler, { method, body: JSON.stringify(value), headers: json, params: params() }, 400, "invalid_request");
  });

  test("prototype keys change nothing", async () => {
    const text = `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,${JSON.stringify(body).slice(1)}`.replace(",}", "}");
    if (named !== null && named.field !== "") {
      const withUnknown = text.replace(/"(session_id|stream_id|queue_id|project_id)":"[^"]*"/, `"${named.field}":"ses_none"`);
      await harness.call(handler, { method, body: withUnknown, headers: json, params: { id: "ses_none", name: "none" } });
    } else await harness.call(handler, { method, body: text, headers: json, params: { id: "ses_none", name: "none" } });
    expect({}).not.toHaveProperty("polluted");
  });

  test("ids that are not there or cannot be are answered as unknown (B235)", async () => {
    if (named === null) return;
    for (const id of UNKNOWN_IDS) {
      const inBody = named.field === "" ? body : { ...body, [named.field]: id };
      await refused(handler, { method, body: inBody, params: named.field === "" ? { id, name: id } : params() }, named.status, named.code);
    }
  });
});

describe.each(READING)("GET $name", ({ handler, field, code, more = "" }) => {
  test("unknown and impossible ids, foreign hosts and machines", async () => {
    for (const id of UNKNOWN_IDS) {
      const query = field === "" ? more : `${field}=${encodeURIComponent(id)}&${more}`;
      await refused(handler, { path: `/?${query}`, params: { id } }, 404, code);
    }
    const ours = { path: `/?${field}=${victim}&${more}`, params: params() };
    await refused(handler, { ...ours, headers: { host: "evil.test" } }, 403, "host_not_allowed");
    await refused(handler, { ...ours, peer: "203.0.113.5" }, 403, "remote_not_allowed");
    if (field !== "" && handler !== diagnostics.GET) await refused(handler, { path: `/?${more}` }, 400, "invalid_request");
  });
});

describe("queries", () => {
  test.each([
    [sessions.GET, "limit=0"],
    [sessions.GET, "limit=201"],
    [sessions.GET, "limit=1e2"],
    [sessions.GET, "archived=maybe"],
    [sessions.GET, "cursor=xyz"],
    [sessionRuns.GET, "limit=-1"],
    [session.GET, "runs=abc"],
    [search.GET, ""],
    [exported.GET, "format=exe"],
  ])("%# %s is invalid_request", async (handler, query) => {
    await refused(handler, { path: `/?${query}`, params: params() }, 400, "invalid_request");
  });
});
