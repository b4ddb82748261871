import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readdirSync } from "node:fs";
import { GET as events } from "../../app/api/events/route";
import { POST as start } from "../../app/api/chat/start/route";
import { GET as status } from "../../app/api/chat/stream/status/route";
import { GET as exportRoute } from "../../app/api/sessions/[id]/export/route";
import { DELETE as remove, GET as open, PATCH as patch } from "../../app/api/sessions/[id]/route";
import { GET as runsOf } from "../../app/api/sessions/[id]/runs/route";
import { GET as sessionStream } from "../../app/api/sessions/[id]/stream/route";
import { POST as importRoute } from "../../app/api/sessions/import/route";
import { GET as list, POST as create } from "../../app/api/sessions/route";
import { GET as search } from "../../app/api/sessions/search/route";
import { POST as createProject } from "../../app/api/projects/route";
import { openRouteHarness, type RouteHarness } from "#testing/route-harness";
import { until } from "#testing/until";
import type { RouteHandler } from "./handle";
import { StreamListener } from "./stream-listener.fixture";

let harness: RouteHarness;
beforeEach(async () => {
  harness = await openRouteHarness();
});
afterEach(() => harness.close());

async function newSession(title = "Talk"): Promise<string> {
  const { status: code, json } = await harness.call(create, { method: "POST", body: { title } });
  expect(code).toBe(201);
  return harness.server.sessions.list({ query: null, projectId: null, profile: null, archived: false, limit: 1, cursor: null }).then(({ sessions }) => {
    expect(json).toEqual({ session: sessions[0] });
    return sessions[0]?.session_id ?? "";
  });
}

async function talk(session_id: string, message: string): Promise<string> {
  const { json } = await harness.call(start, { method: "POST", body: { session_id, message } });
  const runId = String(json["stream_id"]);
  await until(async () => (await harness.server.runtime.adapter.getRun(runId))?.terminal_state !== null);
  return runId;
}

/** Open files of this process; always 0 where that cannot be asked. */
function openFiles(): number {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
}

function listen(handler: RouteHandler, path: string, params: Readonly<Record<string, string>> = {}, headers: Readonly<Record<string, string>> = {}): StreamListener {
  return new StreamListener(harness, handler, { path, params, headers });
}

describe("a session's stream", () => {
  test("carries its runs and its own log in commit order, goes on from any of its ids, and ends with its deletion", async () => {
    const id = await newSession();
    const listener = listen(sessionStream, `/api/sessions/${id}/stream`, { id });
    const first = await talk(id, "say one");
    await harness.call(patch, { method: "PATCH", params: { id }, body: { title: "Named" } });
    const second = await talk(id, "say two");
    await until(() => listener.ids.at(-1)?.startsWith(second) === true && listener.text.includes("event: done", listener.text.indexOf(second)));
    const whole = listener.ids;
    expect(new Set(whole).size).toBe(whole.length);
    expect(whole[0]).toBe(`${first}:1`);
    expect(whole).toContain(`${id}:1`);

    for (const place of [3, whole.indexOf(`${id}:1`), whole.length - 2]) {
      const resumed = listen(sessionStream, `/api/sessions/${id}/stream`, { id }, { "last-event-id": whole[place] ?? "" });
      await until(() => resumed.ids.length >= whole.length - 1 - place);
      expect(resumed.ids).toEqual(whole.slice(place + 1));
      await resumed.stop();
    }
    const foreign = listen(sessionStream, `/api/sessions/${id}/stream?after_event_id=run_other:1`, { id });
    await until(() => foreign.ids.length >= whole.length);
    expect(foreign.text).toContain('event: reset\ndata: {"reason":"foreign"}');
    await foreign.stop();

    await harness.call(remove, { method: "DELETE", params: { id } });
    await listener.done;
    expect(listener.text.trimEnd().split("\n").at(-1)).toContain('"type":"session.deleted"');
    expect((await harness.call(sessionStream, { params: { id } })).json).toMatchObject({ error: { code: "session_not_found" } });
  });

  test("says when the list changed, whoever changed it", async () => {
    const id = await newSession();
    const listener = listen(sessionStream, `/api/sessions/${id}/stream`, { id });
    await until(() => listener.text.includes(": ok"));
    await newSession("Another");
    await until(() => listener.text.includes("event: sessions\n"));
    await listener.stop();
    await until(() => harness.server.streams.count === 0);
  });

  test("the page's own carries several in one connection, each from its own cursor, and names what is gone", async () => {
    const [one, other] = [await newSession("One"), await newSession("Other")];
    const first = await talk(one, "say one");
    await talk(other, "say other");
    const path = `/api/events?s=${one}~${first}:3&s=${other}&s=ses_gone~&s=${encodeURIComponent("../x")}&s=${one.slice(0, 10)}~bad`;
    const listener = listen(events, path);
    await until(() => listener.text.includes('event: gone\ndata: {"session_id":"ses_gone"}') && listener.text.includes(other));
    expect(listener.text).toContain('event: gone\ndata: {"session_id":"../x"}');
    expect(listener.ids).not.toContain(`${first}:3`);
    expect(listener.ids).toContain(`${first}:4`);
    const before = listener.ids.length;
    await talk(one, "say more");
    await until(() => listener.ids.length > before + 2);
    expect(harness.server.streams.count).toBe(1);
    await listener.stop();

    const reset = listen(events, `/api/events?s=${one}~nonsense`);
    await until(() => reset.ids.length > 3);
    expect(reset.text).toContain(`event: reset\ndata: {"session_id":"${one}","reason":"malformed"}`);
    await reset.stop();
  });
});

describe("sessions over their routes", () => {
  test("opened, paged, searched, exported and imported", async () => {
    const id = await newSession("Kites");
    const runs = [await talk(id, "say the wind is strong"), await talk(id, "say it is calm")];
    const opened = (await harness.call(open, { path: `/api/sessions/${id}?runs=1`, params: { id } })).json;
    expect(opened).toMatchObject({ session: { session_id: id, title: "Kites" }, has_more: true, runs: [{ run_id: runs[1] }] });
    const page = (await harness.call(runsOf, { path: `/api/sessions/${id}/runs?limit=1`, params: { id } })).json;
    expect(page).toMatchObject({ runs: [{ run_id: runs[1], status: "completed" }], next_before: runs[1], active_run_id: null });
    expect((await harness.call(runsOf, { path: `/?limit=1&before=${String(page["next_before"])}`, params: { id } })).json).toMatchObject({ runs: [{ run_id: runs[0] }], next_before: null });
    expect((await harness.call(search, { path: "/?q=wind" })).json).toEqual({
      results: ["the wind is strong", "say the wind is strong"].map((snippet) => ({ session_id: id, title: "Kites", run_id: runs[0], snippet, created_at: expect.any(Number) })),
    });

    // In one session: newest first, the text as it stands, its words too; of another session nothing.
    const within = async (words: string, session = id): Promise<unknown> => (await harness.call(search, { path: `/?q=${encodeURIComponent(words)}&session_id=${session}` })).json;
    expect(await within("say")).toMatchObject({ results: [{ run_id: runs[1], snippet: "say it is calm" }, { run_id: runs[0] }] });
    expect(await within("IND IS STR")).toMatchObject({ results: [{ run_id: runs[0] }, { run_id: runs[0] }] });
    expect(await within("strong wind")).toMatchObject({ results: [{ run_id: runs[0] }, { run_id: runs[0] }] });
    expect(await within("100%_ calm")).toEqual({ results: [] });
    expect(await within("  ")).toEqual({ results: [] });
    expect(await within("wind", await newSession("Empty"))).toEqual({ results: [] });
    expect(await within("wind", "ses_none")).toMatchObject({ error: { code: "session_not_found" } });

    const file = await harness.send(exportRoute, { path: "/?format=json", params: { id } });
    expect(file.headers.get("content-disposition")).toContain('filename="Kites.json"');
    const text = await file.text();
    const imported = await harness.call(importRoute, { method: "POST", body: text, headers: { "content-type": "application/json" } });
    expect(imported).toMatchObject({ status: 201, json: { session: { title: "Kites" } } });
    const html = await harness.send(exportRoute, { path: "/?format=html", params: { id } });
    expect(html.headers.get("content-security-policy")).toContain("sandbox");
    expect(await html.text()).toContain("the wind is strong");
    expect((await harness.call(exportRoute, { path: "/?format=exe", params: { id } })).status).toBe(400);
  });

  test("an unknown project is not found wherever it is named", async () => {
    const { json, status: code } = await harness.call(createProject, { method: "POST", body: { name: "House", color: "#ff0000" } });
    expect([code, json]).toEqual([201, { project: { project_id: expect.stringMatching(/^prj_/), name: "House", color: "#ff0000" } }]);
    const id = await newSession();
    const missing = { status: 404, json: { error: { code: "not_found" } } };
    for (const project_id of ["prj_none", "../x", "x".repeat(10_000)]) {
      expect(await harness.call(create, { method: "POST", body: { project_id } })).toMatchObject(missing);
      expect(await harness.call(patch, { method: "PATCH", params: { id }, body: { project_id } })).toMatchObject(missing);
      expect(await harness.call(list, { path: `/api/sessions?project_id=${encodeURIComponent(project_id)}` })).toMatchObject(missing);
    }
  });

  test("B121: polling leaks neither rows nor streams", async () => {
    const id = await newSession();
    const runId = await talk(id, "say a kite");
    const poll = async (rounds: number): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        await harness.call(list);
        await harness.call(open, { params: { id } });
        await harness.call(search, { path: "/?q=kite" });
        await harness.call(status, { path: `/?stream_id=${runId}` });
      }
    };
    await poll(20);
    const [files, memory] = [openFiles(), process.memoryUsage().rss];
    await poll(400);
    expect(harness.server.streams.count).toBe(0);
    expect(Math.abs(openFiles() - files)).toBeLessThanOrEqual(5);
    expect((process.memoryUsage().rss - memory) / 2 ** 20, "MB more").toBeLessThan(50);
  });

  test("a new session outlives the making, listing and searching of many others, and takes a message then (B126)", async () => {
    const id = await newSession("Waiting");
    for (let other = 0; other < 120; other += 1) await harness.call(create, { method: "POST", body: { title: `Other ${other}` } });
    let cursor: unknown = null;
    const seen: string[] = [];
    do {
      const { json } = await harness.call(list, { path: `/api/sessions?limit=50${cursor === null ? "" : `&cursor=${String(cursor)}`}` });
      seen.push(...[...JSON.stringify(json["sessions"]).matchAll(/"session_id":"(ses_\w+)"/g)].map((match) => match[1] ?? ""));
      cursor = json["next_cursor"];
    } while (cursor !== null);
    expect([seen.length, new Set(seen).size, seen.includes(id)]).toEqual([121, 121, true]);
    expect((await harness.call(search, { path: "/?q=anything" })).json).toEqual({ results: [] });
    const runId = await talk(id, "say still here");
    expect((await harness.call(open, { params: { id } })).json).toMatchObject({ runs: [{ run_id: runId, terminal_state: "completed" }] });
  });
});
