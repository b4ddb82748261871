import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JournalEvent } from "#protocol/events";
import * as say from "#fold/run-story.fixture";
import { logEvent, titled } from "#fold/session-story.fixture";
import { FakeBackend } from "./fake-backend.fixture";
import { FakeBrowserProfile, type FakeTab } from "./fake-browser.fixture";
import { OpenPage, until } from "./open-page.fixture";

let backend: FakeBackend;
let pages: OpenPage[];
let profile: FakeBrowserProfile;
let keys = 0;

beforeEach(async () => {
  backend = await FakeBackend.open();
  profile = new FakeBrowserProfile();
  pages = [];
});
afterEach(async () => {
  for (const page of pages) page.close();
  await backend.close();
});

function openPage(tab: FakeTab = profile.openTab(backend.origin)): OpenPage {
  const page = new OpenPage(tab, () => `key_${(keys += 1)}`);
  pages.push(page);
  return page;
}

function leave(page: OpenPage): void {
  page.close();
  pages = pages.filter((other) => other !== page);
}

/** A run's events, to be committed bit by bit. */
function words(count: number, runId = "run_1", sessionId = "ses_1"): readonly JournalEvent[] {
  const bodies = Array.from({ length: count }, (_, index) => say.token(`w${index} `));
  return say.story([...bodies, say.done()], { runId, sessionId });
}
const text = (count: number) => Array.from({ length: count }, (_, index) => `w${index} `).join("");

describe("C4: the tabs of one browser share their event connection", () => {
  it("B272, B278: seven tabs on two sessions hold one stream, and each sees everything", async () => {
    const one = words(30);
    const two = words(20, "run_2", "ses_2");
    backend.add("ses_1", one.slice(0, 5));
    backend.add("ses_2", two.slice(0, 5));
    const tabs = Array.from({ length: 7 }, () => openPage());
    tabs.forEach((page, index) => page.client.sessions.show(index % 2 === 0 ? "ses_1" : "ses_2"));
    for (const event of [...one.slice(5), ...two.slice(5)]) backend.commit(event);
    await Promise.all(tabs.map((page, index) => until(() => page.texts(index % 2 === 0 ? "ses_1" : "ses_2"), [text(index % 2 === 0 ? 30 : 20)])));
    await until(() => backend.openStreams, 1);
    await until(() => tabs.map((page) => page.banner()), tabs.map(() => "live"));
  });

  it("a tab that opens a session in the middle of a run misses nothing and sees nothing twice", async () => {
    const story = words(60);
    backend.add("ses_1", story.slice(0, 1));
    const first = openPage();
    first.client.sessions.show("ses_1");
    await until(() => first.banner(), "live");
    let release: () => void = () => undefined;
    backend.holdOpenings = new Promise((resolve) => (release = resolve));
    backend.commit(...story.slice(1, 10));
    const late = openPage();
    late.client.sessions.show("ses_1");
    await until(() => backend.requests.filter((request) => request === "GET /base/api/sessions/ses_1").length, 2);
    backend.commit(...story.slice(10, 40));
    await until(() => first.view("ses_1")?.cursor, "run_1:40");
    release();
    backend.commit(...story.slice(40));
    await until(() => late.texts("ses_1"), [text(60)]);
    await until(() => first.texts("ses_1"), [text(60)]);
    await until(() => backend.openStreams, 1);
  });

  it("an answer that is older than the connection's start is not believed", async () => {
    const story = words(10);
    backend.add("ses_1", []);
    let release: () => void = () => undefined;
    backend.holdOpenings = new Promise((resolve) => (release = resolve));
    const slow = openPage();
    slow.client.sessions.show("ses_1");
    await until(() => backend.requests.includes("GET /base/api/sessions/ses_1"), true);
    backend.holdOpenings = null;
    backend.commit(...story);
    const quick = openPage();
    quick.client.sessions.show("ses_1");
    await until(() => quick.texts("ses_1"), [text(10)]);
    await until(() => backend.streamUrls.at(-1)?.includes("run_1"), true);
    release();
    await until(() => slow.texts("ses_1"), [text(10)]);
  });

  it("when the leading tab closes another goes on from where the tabs stand", async () => {
    const story = words(40);
    backend.add("ses_1", story.slice(0, 1));
    const first = openPage();
    first.client.sessions.show("ses_1");
    await until(() => first.banner(), "live");
    const second = openPage();
    second.client.sessions.show("ses_1");
    backend.commit(...story.slice(1, 20));
    await until(() => second.view("ses_1")?.cursor, "run_1:20");
    leave(first);
    backend.commit(...story.slice(20));
    await until(() => second.texts("ses_1"), [text(40)]);
    await until(() => backend.openStreams, 1);
    expect(backend.streamUrls.at(-1)).toContain("run_1%3A20");
  });

  it("B276: a leading tab that is frozen is replaced, and catches up when it thaws", async () => {
    const story = words(50);
    backend.add("ses_1", story.slice(0, 1));
    const first = openPage();
    first.client.sessions.show("ses_1");
    await until(() => first.banner(), "live");
    const second = openPage();
    second.client.sessions.show("ses_1");
    backend.commit(...story.slice(1, 10));
    await until(() => [first, second].map((page) => page.view("ses_1")?.cursor), ["run_1:10", "run_1:10"]);
    first.tab.freeze();
    backend.commit(...story.slice(10, 50));
    await until(() => second.view("ses_1")?.cursor, "run_1:50");
    expect(first.view("ses_1")?.cursor).toBe("run_1:10");
    first.tab.thaw();
    first.tab.signal("thawed");
    backend.commit(...story.slice(50));
    await until(() => first.texts("ses_1"), [text(50)]);
    await until(() => second.texts("ses_1"), [text(50)]);
    await until(() => backend.openStreams, 1);
  });

  it("a page that the browser puts away lets go, and opens what it shows anew when it comes back", async () => {
    const story = words(20);
    backend.add("ses_1", story.slice(0, 5));
    const page = openPage();
    page.client.sessions.show("ses_1");
    await until(() => page.banner(), "live");
    page.tab.signal("frozen");
    await until(() => backend.openStreams, 0);
    backend.commit(...story.slice(5));
    page.tab.signal("thawed");
    await until(() => page.texts("ses_1"), [text(20)]);
  });

  it("there is none when all tabs are hidden and nothing that they show runs; one while something does", async () => {
    const story = words(10);
    backend.add("ses_1", story);
    backend.add("ses_2", say.story([], { runId: "run_2", sessionId: "ses_2" }));
    const [first, second] = [openPage(), openPage()];
    first.client.sessions.show("ses_1");
    second.client.sessions.show("ses_2");
    await until(() => second.status("ses_2"), "open");
    await until(() => backend.openStreams, 1);
    first.tab.show(false);
    second.tab.show(false);
    const end = say.story([say.token("late"), say.done()], { runId: "run_2", sessionId: "ses_2" });
    backend.commit(...end.slice(1));
    await until(() => second.texts("ses_2"), ["late"]);
    await until(() => backend.openStreams, 0);
    expect(first.banner()).toBe("idle");
    backend.commit(logEvent(1, titled("While away")));
    first.tab.show(true);
    await until(() => first.view("ses_1")?.session.title, "While away");
    await until(() => backend.openStreams, 1);
  });

  it("without locks and channels each visible tab has its own, and a hidden one has none", async () => {
    backend.add("ses_1", say.story([], { runId: "run_1" }));
    const tabs = [0, 1].map(() => openPage(profile.openTab(backend.origin, { secure: false })));
    for (const page of tabs) page.client.sessions.show("ses_1");
    await until(() => backend.openStreams, 2);
    await until(() => tabs.map((page) => page.status("ses_1")), ["open", "open"]);
    tabs[0]?.tab.show(false);
    await until(() => backend.openStreams, 1);
    backend.commit(...say.story([say.token("all"), say.done()]).slice(1));
    await until(() => tabs[1]?.texts("ses_1"), ["all"]);
    tabs[0]?.tab.show(true);
    await until(() => tabs[0]?.texts("ses_1"), ["all"]);
  });
});

describe("C3: a cut connection goes on from its cursor", () => {
  it("B025: five cuts in one turn, each word once", async () => {
    const story = words(60);
    backend.add("ses_1", story.slice(0, 1));
    const page = openPage();
    page.client.sessions.show("ses_1");
    await until(() => page.banner(), "live");
    for (let cut = 0; cut < 5; cut += 1) {
      backend.commit(...story.slice(1 + cut * 10, 6 + cut * 10));
      if (cut % 2 === 0) await until(() => page.view("ses_1")?.cursor, `run_1:${6 + cut * 10}`);
      backend.dropStreams();
      backend.commit(...story.slice(6 + cut * 10, 11 + cut * 10));
    }
    backend.commit(...story.slice(51));
    await until(() => page.texts("ses_1"), [text(60)]);
    expect(backend.requests.filter((request) => request === "GET /base/api/sessions/ses_1")).toHaveLength(1);
  });

  it("says that it is lost, tries at once when asked, and says how much it catches up", async () => {
    const story = words(30);
    backend.add("ses_1", story.slice(0, 1));
    const page = openPage();
    page.client.sessions.show("ses_1");
    await until(() => page.banner(), "live");
    backend.refusing = 503;
    backend.dropStreams();
    await until(() => page.banner(), "lost");
    backend.commit(...story.slice(1));
    const seen: unknown[] = [];
    page.client.connection.subscribe(({ state }) => seen.push(state));
    backend.refusing = null;
    page.client.tryNow();
    await until(() => page.banner(), "live");
    expect(seen).toContainEqual({ kind: "catching_up", count: story.length - 1 });
    expect(page.texts("ses_1")).toEqual([text(30)]);
  });

  it("stops at a login instead of knocking on", async () => {
    backend.refusing = 401;
    const page = openPage();
    await until(() => page.banner(), "unauthorized");
    const knocks = backend.streamUrls.length;
    backend.refusing = null;
    page.client.tryNow();
    await until(() => page.banner(), "live");
    expect(backend.streamUrls).toHaveLength(knocks + 1);
  });

  it("does not believe a connection that went mute", async () => {
    const story = words(10);
    backend.add("ses_1", story.slice(0, 1));
    const page = openPage();
    page.client.sessions.show("ses_1");
    await until(() => page.banner(), "live");
    backend.mute(true);
    backend.commit(...story.slice(1));
    await until(() => page.banner() === "live", false);
    backend.mute(false);
    await until(() => page.texts("ses_1"), [text(10)]);
  });
});
