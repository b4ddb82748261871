import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as say from "#fold/run-story.fixture";
import { logEvent, rewound, titled } from "#fold/session-story.fixture";
import { FakeBackend } from "./fake-backend.fixture";
import { FakeBrowserProfile } from "./fake-browser.fixture";
import { OpenPage, until } from "./open-page.fixture";

let backend: FakeBackend;
let page: OpenPage;
let keys = 0;

beforeEach(async () => {
  backend = await FakeBackend.open();
  page = new OpenPage(new FakeBrowserProfile().openTab(backend.origin), () => `key_${(keys += 1)}`);
});
afterEach(async () => {
  page.close();
  await backend.close();
});

const openings = (sessionId = "ses_1") => backend.requests.filter((request) => request === `GET /base/api/sessions/${sessionId}`).length;
const run = (number: number, text: string) => say.story([say.token(text), say.done()], { runId: `run_${number}`, at: 1000 + number * 100 });

describe("a shown session", () => {
  it("is opened once and carried on by events, folded together within a frame", async () => {
    backend.add("ses_1", run(1, "one"));
    let changes = 0;
    page.client.sessions.store.subscribe(() => (changes += 1));
    page.client.sessions.show("ses_1");
    await until(() => page.status("ses_1"), "open");
    await until(() => page.banner(), "live");
    const before = changes;
    backend.commit(...say.story([...Array.from({ length: 200 }, () => say.token("x")), say.done()], { runId: "run_2", at: 1200 }));
    await until(() => page.texts("ses_1"), ["one", "x".repeat(200)]);
    expect(changes - before).toBeLessThan(50);
    expect(openings()).toBe(1);
  });

  it("B011: mounted twice it is opened once, and a quick way back opens nothing anew", async () => {
    backend.add("ses_1", run(1, "one"));
    page.client.sessions.show("ses_1")();
    const release = page.client.sessions.show("ses_1");
    await until(() => page.status("ses_1"), "open");
    release();
    release();
    page.client.sessions.show("ses_1");
    backend.commit(...run(2, "two"));
    await until(() => page.texts("ses_1"), ["one", "two"]);
    expect(openings()).toBe(1);
    expect(backend.streamUrls.length).toBeLessThanOrEqual(2);
    await until(() => backend.openStreams, 1);
  });

  it("B009: cut right after a text began, it is taken up inside the text, by one connection more", async () => {
    const [started, ...words] = say.story([say.token("Quartz "), say.token("lamp "), say.token("over all"), say.done()], { runId: "run_1" });
    backend.add("ses_1", started === undefined ? [] : [started]);
    page.client.sessions.show("ses_1");
    await until(() => backend.carries("ses_1"), true);
    const before = backend.streamUrls.length;
    backend.commit(...words.slice(0, 1));
    await until(() => page.texts("ses_1"), ["Quartz "]);
    backend.dropStreams();
    backend.commit(...words.slice(1));
    await until(() => page.texts("ses_1"), ["Quartz lamp over all"]);
    await until(() => page.banner(), "live");
    expect(backend.streamUrls.slice(before)).toEqual([expect.stringContaining("run_1%3A2")]);
    expect(openings()).toBe(1);
  });

  it("B018: passes over what it does not know, and is settled by an end of a kind that it does not know", async () => {
    backend.add("ses_1", run(1, "one").slice(0, 2));
    page.client.sessions.show("ses_1");
    await until(() => backend.carries("ses_1"), true);
    for (const event of [say.unknownEvent(3, false), say.unknownEvent(4, true)]) backend.tellRaw(`id: ${event.event_id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    await until(() => page.view("ses_1")?.runs[0]?.terminal_state, "completed");
    expect(page.view("ses_1")?.cursor).toBe("run_1:4");
    expect(page.texts("ses_1")).toEqual(["one"]);
    expect(openings()).toBe(1);
  });

  it("B029: the turn that began as the last one ended follows it, once", async () => {
    backend.add("ses_1", run(1, "one").slice(0, 2));
    page.client.sessions.show("ses_1");
    await until(() => page.banner(), "live");
    backend.commit(...run(1, "one").slice(2), ...run(2, "two"));
    await until(() => page.texts("ses_1"), ["one", "two"]);
  });

  it("B225: switching to and fro never shows one session's words in another", async () => {
    const sessions = ["ses_a", "ses_b"];
    for (const id of sessions) backend.add(id, []);
    const stories = sessions.map((id) => say.story(Array.from({ length: 60 }, () => say.token(`${id} `)), { runId: `run_${id}`, sessionId: id }));
    for (let turn = 0; turn < 50; turn += 1) {
      const release = page.client.sessions.show(sessions[turn % 2] ?? "");
      backend.commit(...stories.flatMap((story) => story.slice(turn, turn + 1)));
      if (turn % 10 === 0) await until(() => page.status(sessions[turn % 2] ?? ""), "open");
      for (const id of sessions) expect(page.texts(id).join("").replaceAll(`${id} `, "")).toBe("");
      release();
    }
    page.client.sessions.show("ses_a");
    await until(() => page.texts("ses_a"), ["ses_a ".repeat(49)]);
  });

  it("C3: a gap opens it anew, and so does a cursor that the server does not know", async () => {
    const [first, ...others] = run(1, "one");
    backend.add("ses_1", first === undefined ? [] : [first]);
    page.client.sessions.show("ses_1");
    await until(() => backend.carries("ses_1"), true);
    const [skipped, last] = others;
    if (skipped === undefined || last === undefined) return expect.unreachable();
    backend.skipInStreams(skipped);
    backend.commit(last);
    await until(() => page.texts("ses_1"), ["one"]);
    expect(openings()).toBe(2);
    backend.add("ses_1", run(7, "another life"));
    backend.dropStreams();
    await until(() => page.view("ses_1")?.cursor, "run_7:3");
    expect(page.texts("ses_1")).toEqual(["another life"]);
  });

  it("a frame that cannot be read opens it anew instead of leaving it behind", async () => {
    backend.add("ses_1", run(1, "one").slice(0, 1));
    page.client.sessions.show("ses_1");
    await until(() => backend.carries("ses_1"), true);
    for (const event of run(1, "one").slice(1)) backend.skipInStreams(event);
    backend.tellRaw('id: run_1:2\nevent: done\ndata: {"type":"done","broken":true}\n\n');
    await until(() => page.texts("ses_1"), ["one"]);
  });

  it("B080: a deleted session is gone, at once for who sees it and for who comes later", async () => {
    backend.add("ses_1", run(1, "one"));
    page.client.sessions.show("ses_1");
    page.client.sessions.show("ses_2");
    await until(() => page.status("ses_2"), "gone");
    await until(() => page.banner(), "live");
    backend.commit(logEvent(1, { type: "session.deleted", payload: {} }));
    await until(() => page.status("ses_1"), "gone");
    expect(page.client.sessions.want().sessions).toEqual([]);
    // No word of a server that is away, and nothing is asked about it any more.
    await until(() => ["live", "idle"].includes(page.banner()), true);
    const [asked, streams] = [openings(), backend.streamUrls.length];
    backend.dropStreams();
    await until(() => backend.streamUrls.length > streams, true);
    expect(openings()).toBe(asked);
    expect(backend.streamUrls.at(-1)).not.toContain("ses_1");
  });

  it("a session that is deleted while nobody listened is gone after the reconnect", async () => {
    backend.add("ses_1", run(1, "one"));
    page.client.sessions.show("ses_1");
    await until(() => page.banner(), "live");
    backend.remove("ses_1");
    backend.dropStreams();
    await until(() => page.status("ses_1"), "gone");
  });

  it("loads older turns before the ones that are shown", async () => {
    backend.add("ses_1", Array.from({ length: 45 }, (_, index) => run(index, `t${index}`)).flat());
    page.client.sessions.show("ses_1");
    await until(() => page.view("ses_1")?.runs.length, 20);
    await page.client.sessions.loadOlder("ses_1");
    await page.client.sessions.loadOlder("ses_1");
    expect(page.texts("ses_1")).toEqual(Array.from({ length: 45 }, (_, index) => `t${index}`));
    expect(page.view("ses_1")?.has_more).toBe(false);
    const asked = openings();
    await page.client.sessions.loadOlder("ses_1");
    expect(openings()).toBe(asked);
  });

  it("goes a long way back in few requests", async () => {
    backend.add("ses_1", Array.from({ length: 450 }, (_, index) => run(index, `t${index}`)).flat());
    page.client.sessions.show("ses_1");
    await until(() => page.view("ses_1")?.runs.length, 20);
    const asked = openings();
    await page.client.sessions.loadOlder("ses_1", 200);
    await page.client.sessions.loadOlder("ses_1", 200);
    await page.client.sessions.loadOlder("ses_1", 200);
    expect(page.texts("ses_1")).toHaveLength(450);
    expect(openings()).toBe(asked + 3);
  });

  it("B259: what was undone goes, and what is restored and not known is fetched", async () => {
    backend.add("ses_1", [...run(1, "one"), ...run(2, "two"), logEvent(1, rewound(["run_2"], "undo"))]);
    page.client.sessions.show("ses_1");
    await until(() => page.texts("ses_1"), ["one"]);
    await until(() => page.banner(), "live");
    backend.commit(logEvent(2, rewound(["run_1"], "undo")));
    await until(() => page.texts("ses_1"), []);
    backend.commit(logEvent(3, rewound(["run_2"], "restore")));
    await until(() => page.texts("ses_1"), ["two"]);
  });

  it("says when it cannot be opened, keeps trying while it is shown, and goes on when the server is back", async () => {
    const other = await FakeBackend.open();
    const origin = other.origin;
    await other.close();
    const lone = new OpenPage(new FakeBrowserProfile().openTab(origin), () => `key_${(keys += 1)}`);
    lone.client.sessions.show("ses_1");
    await until(() => lone.status("ses_1"), "failed");
    const entry = lone.client.sessions.store.getState().entries["ses_1"];
    expect(entry).toMatchObject({ failure: { code: "unreachable", status: 0 } });
    lone.close();
  });
});

describe("the session list", () => {
  it("is asked for anew when it changed, however often that is told", async () => {
    const asked = () => backend.requests.filter((request) => request === "GET /base/api/sessions").length;
    const rows = () => page.client.list.store.getState();
    await until(() => rows().status, "ready");
    await until(() => page.banner(), "live");
    const before = asked();
    backend.add("ses_9", []);
    for (let told = 0; told < 100; told += 1) backend.tellListChanged();
    await until(() => rows().sessions.map((row) => row.session_id), ["ses_9"]);
    const kept = rows().sessions;
    backend.add("ses_8", []);
    backend.tellListChanged();
    await until(() => rows().sessions.length, 2);
    expect(rows().sessions[0]).toBe(kept[0]);
    expect(asked() - before).toBeLessThan(10);
  });

  it("shows a title as the session's stream tells it", async () => {
    backend.add("ses_1", []);
    page.client.sessions.show("ses_1");
    await until(() => page.banner(), "live");
    backend.commit(logEvent(1, titled("Red kite")));
    await until(() => page.view("ses_1")?.session.title, "Red kite");
  });
});
