import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GET as attachment } from "../../app/api/attachments/[id]/route";
import { POST as attachments } from "../../app/api/attachments/route";
import { GET as read, PUT as write } from "../../app/api/files/route";
import { POST as removeFile } from "../../app/api/files/delete/route";
import { GET as diff } from "../../app/api/files/diff/route";
import { POST as makeFolder } from "../../app/api/files/mkdir/route";
import { GET as raw } from "../../app/api/files/raw/route";
import { POST as rename } from "../../app/api/files/rename/route";
import { GET as search } from "../../app/api/files/search/route";
import { POST as branch } from "../../app/api/sessions/[id]/branch/route";
import { DELETE as removeSession } from "../../app/api/sessions/[id]/route";
import { fileSearchSchema, workspaceDiffSchema } from "#protocol/file-shapes";
import { openRouteHarness, type RouteAnswer, type RouteHarness } from "#testing/route-harness";
import { until } from "#testing/until";
import { parseRange } from "./byte-range";
import type { RouteHandler } from "./handle";

let harness: RouteHarness;
let victim = "";
let workspace = "";
beforeAll(async () => {
  harness = await openRouteHarness();
  const session = await harness.server.sessions.create({ title: "Victim" });
  victim = session.session_id;
  workspace = session.workspace;
});
afterAll(() => harness.close());

const post = (handler: RouteHandler, body: Readonly<Record<string, unknown>>, method = "POST"): Promise<RouteAnswer> =>
  harness.call(handler, { method, body: { session_id: victim, ...body } });
const get = (handler: RouteHandler, query: string): Promise<RouteAnswer> => harness.call(handler, { path: `/?session_id=${victim}&${query}` });
const put = (path: string, content: string, expected_mtime: unknown): Promise<RouteAnswer> => post(write, { path, content, expected_mtime }, "PUT");

describe("files of a workspace", () => {
  test("made, read, changed only by who saw the newest, moved and deleted", async () => {
    expect((await post(makeFolder, { path: "notes" })).json).toMatchObject({ path: "notes", type: "dir" });
    const made = await put("notes/a.txt", "one", null);
    expect(made).toMatchObject({ status: 200, json: { path: "notes/a.txt", type: "file", size: 3 } });
    expect(await put("notes/a.txt", "again", null)).toMatchObject({ status: 409, json: { error: { code: "changed_on_disk" } } });
    const changed = await put("notes/a.txt", "second", made.json["mtime"]);
    expect(changed.status).toBe(200);
    expect(await put("notes/a.txt", "third", 1)).toMatchObject({ status: 409, json: { error: { code: "changed_on_disk" } } });
    expect((await get(read, "path=notes/a.txt")).json).toMatchObject({ path: "notes/a.txt", type: "file", content: "second", truncated: false, mtime: changed.json["mtime"] });
    expect((await get(read, "")).json).toMatchObject({ path: "", type: "dir", entries: [{ name: "notes", type: "dir" }] });
    for (const words of ["secon", "a.txt", "nowhere"]) {
      const found = fileSearchSchema.strict().parse((await get(search, `q=${words}`)).json);
      expect(found.results.map(({ path }) => path)).toEqual(words === "nowhere" ? [] : ["notes/a.txt"]);
    }
    expect((await post(rename, { from: "notes/a.txt", to: "notes/b.txt" })).json).toMatchObject({ path: "notes/b.txt" });
    expect(await post(removeFile, { path: "notes", recursive: false })).toMatchObject({ status: 409, json: { error: { code: "conflict" } } });
    expect((await post(removeFile, { path: "notes", recursive: true })).json).toEqual({ ok: true });
    expect(await get(read, "path=notes")).toMatchObject({ status: 404, json: { error: { code: "not_found" } } });
    expect(workspaceDiffSchema.strict().parse((await get(diff, "")).json)).toEqual({ kind: "none", diff: "", files: [], truncated: false });
  });

  test("B231: whatever leaves the workspace is outside it, for every route", async () => {
    const outside = join(harness.folder, "outside");
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, "secret"), "secret");
    symlinkSync(outside, join(workspace, "link"));
    const left = { status: 403, json: { error: { code: "outside_workspace" } } };
    for (const path of ["../outside/secret", "link/secret", `${outside}/secret`, "a/../../outside/secret"]) {
      const query = `path=${encodeURIComponent(path)}`;
      expect(await get(read, query)).toMatchObject(left);
      expect(await get(raw, query)).toMatchObject(left);
      expect(await put(path, "x", null)).toMatchObject(left);
      expect(await post(makeFolder, { path: `${path}-new` })).toMatchObject(left);
      expect(await post(rename, { from: path, to: "mine" })).toMatchObject(left);
      expect(await post(removeFile, { path, recursive: true })).toMatchObject(left);
    }
    expect(statSync(join(outside, "secret")).size).toBe(6);
  });

  test("raw bytes come whole or in a range, and can do nothing where they are shown", async () => {
    writeFileSync(join(workspace, "page.html"), "<script>alert(1)</script>");
    writeFileSync(join(workspace, "digits.txt"), "0123456789");
    const page = await harness.send(raw, { path: `/?session_id=${victim}&path=page.html` });
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": expect.stringMatching(/^attachment; filename="page.html"/),
      "content-security-policy": expect.stringContaining("sandbox"),
      "x-content-type-options": "nosniff",
    });
    expect(page.headers.get("content-length")).toBe("25");
    const range = async (value: string): Promise<readonly [number, string | null, string]> => {
      const answer = await harness.send(raw, { path: `/?session_id=${victim}&path=digits.txt`, headers: { range: value } });
      const body = await answer.text();
      if (answer.status !== 416) expect(answer.headers.get("content-length")).toBe(String(body.length));
      return [answer.status, answer.headers.get("content-range"), body];
    };
    expect(await range("bytes=2-4")).toEqual([206, "bytes 2-4/10", "234"]);
    expect(await range("bytes=7-")).toEqual([206, "bytes 7-9/10", "789"]);
    expect(await range("bytes=-3")).toEqual([206, "bytes 7-9/10", "789"]);
    expect(await range("bytes=10-")).toEqual([416, "bytes */10", ""]);
    expect(await range("bytes=a-b")).toEqual([200, null, "0123456789"]);
    expect([parseRange("bytes=0-", 0), parseRange("bytes=-0", 5), parseRange("bytes=5-2", 9), parseRange("bytes=0-99", 3)]).toEqual([
      { kind: "unsatisfiable" },
      { kind: "unsatisfiable" },
      { kind: "whole" },
      { kind: "part", start: 0, end: 2 },
    ]);
  });
});

describe("uploads", () => {
  const upload = (form: FormData): Promise<RouteAnswer> => harness.call(attachments, { method: "POST", body: form });
  test("B208: whatever a file is called, it stays in its place", async () => {
    for (const name of ["../../x", "/etc/x", "..\\x", "a/../../x", "..", ".", "%2e%2e/x", "x".repeat(300)]) {
      const form = new FormData();
      form.set("session_id", victim);
      form.set("file", new File(["bytes"], name));
      const { status, json: stored } = await upload(form);
      expect([201, 400]).toContain(status);
      if (status === 201) expect(stored["name"]).not.toMatch(/[/\\]|^\.\.?$/);
    }
    expect(existsSync(join(harness.folder, "..", "x"))).toBe(false);
  });

  test("B206: two files of one name are two attachments, each with its own bytes", async () => {
    const stored = await Promise.all(
      ["one", "two"].map(async (text) => {
        const form = new FormData();
        form.set("session_id", victim);
        form.set("file", new File([text], "kite.txt"));
        return (await upload(form)).json;
      }),
    );
    expect(new Set(stored.map((each) => each["name"])).size).toBe(2);
    const texts = await Promise.all(stored.map(async (each) => (await harness.send(attachment, { params: { id: String(each["attachment_id"]) } })).text()));
    expect(texts).toEqual(["one", "two"]);
  });

  test("a form without a file or of an unknown session, JSON, and one that is too large", async () => {
    const empty = new FormData();
    empty.set("session_id", victim);
    expect(await upload(empty)).toMatchObject({ status: 400, json: { error: { code: "invalid_request", issues: [{ path: "file" }] } } });
    const unknown = new FormData();
    unknown.set("session_id", "ses_none");
    unknown.set("file", new File(["x"], "x"));
    expect(await upload(unknown)).toMatchObject({ status: 404, json: { error: { code: "session_not_found" } } });
    expect(await post(attachments, {})).toMatchObject({ status: 415, json: { error: { code: "unsupported_media_type" } } });
    const large = new FormData();
    large.set("session_id", victim);
    large.set("file", new File([new Uint8Array(25 * 1024 * 1024 + 1)], "large"));
    expect(await upload(large)).toMatchObject({ status: 413, json: { error: { code: "too_large" } } });
  });

  test("a branch has copies of its own; a session's uploads go with it, and a repeated upload is one", async () => {
    const parent = (await harness.server.sessions.create({ title: "Parent" })).session_id;
    const form = (): FormData => {
      const made = new FormData();
      made.set("session_id", parent);
      made.set("file", new File(["kite"], "kite.txt"));
      return made;
    };
    const send = (): Promise<RouteAnswer> => harness.call(attachments, { method: "POST", body: form(), headers: { "idempotency-key": "upload-1" } });
    const [first, again] = [await send(), await send()];
    expect(again.json).toEqual(first.json);
    const id = String(first.json["attachment_id"]);
    await harness.server.runtime.adapter.startRun({ session_id: parent, message: "say hi", attachments: [id] });
    const { runs } = await harness.server.sessions.runs({ sessionId: parent, limit: 1, before: null });
    await until(async () => (await harness.server.runtime.adapter.getRun(runs[0]?.run_id ?? ""))?.terminal_state !== null);
    const branched = await harness.call(branch, { method: "POST", body: {}, params: { id: parent } });
    const copy = await harness.server.sessions.open({ sessionId: String(Object(branched.json["session"])["session_id"]), runs: 1, before: null });
    const copied = copy.runs[0]?.message?.attachments[0]?.attachment_id ?? "";
    expect(copied).not.toBe(id);
    await harness.call(removeSession, { method: "DELETE", params: { id: parent } });
    expect((await harness.call(attachment, { params: { id } })).status).toBe(404);
    expect(await (await harness.send(attachment, { params: { id: copied } })).text()).toBe("kite");
  });
});
