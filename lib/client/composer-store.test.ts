import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NEW_SESSION } from "./composer-store";
import { FakeBackend } from "./fake-backend.fixture";
import { FakeBrowserProfile } from "./fake-browser.fixture";
import { OpenPage, until } from "./open-page.fixture";

let backend: FakeBackend;
let profile: FakeBrowserProfile;
let page: OpenPage;
let keys = 0;

beforeEach(async () => {
  backend = await FakeBackend.open();
  backend.add("ses_1");
  backend.add("ses_2");
  profile = new FakeBrowserProfile();
  page = openPage();
});
afterEach(async () => {
  page.close();
  await backend.close();
});

function openPage(): OpenPage {
  return new OpenPage(profile.openTab(backend.origin), () => `key_${(keys += 1)}`);
}

/** A reload in the middle of whatever goes on: the old page says nothing more. */
function reload(): void {
  page.tab.signal("frozen");
  page.tab.freeze();
  page = openPage();
}

const composer = (id = "ses_1") => page.client.composers.get(id);
const sent = (path: string) => backend.posts.filter((post) => post.path === `/base/api${path}`);
const note = () => new File(["note"], "note.txt", { type: "text/plain" });

describe("sending", () => {
  it("is sending until it was accepted, then the box is empty", async () => {
    page.client.composers.setText("ses_1", "hello");
    const answer = page.client.composers.send("ses_1", "start", { model: "m2" });
    expect(composer()).toMatchObject({ text: "", sending: { text: "hello" } });
    expect(await page.client.composers.send("ses_1", "start")).toBeNull();
    expect(await answer).toMatchObject({ ok: true, value: { session_id: "ses_1", stream_id: "run_1" } });
    expect(composer()).toMatchObject({ text: "", sending: null, failure: null });
    expect(sent("/chat/start")).toMatchObject([{ body: { session_id: "ses_1", message: "hello", attachments: [], model: "m2" } }]);
  });

  it("sends nothing where there is nothing", async () => {
    page.client.composers.setText("ses_1", "  \n ");
    expect(await page.client.composers.send("ses_1", "start")).toBeNull();
    expect(backend.posts).toEqual([]);
  });

  it("B213: a failed send gives text and attachments back, and sends them again without a new upload", async () => {
    await page.client.composers.addFiles("ses_1", [note()]);
    await until(() => composer().attachments.length, 1);
    page.client.composers.setText("ses_1", "with a note");
    backend.plannedPosts.push(503);
    expect(await page.client.composers.send("ses_1", "start")).toMatchObject({ ok: false, code: "runner_unavailable" });
    expect(composer()).toMatchObject({ text: "with a note", sending: null, failure: { code: "runner_unavailable" } });
    expect(composer().attachments).toHaveLength(1);
    expect(await page.client.composers.send("ses_1", "start")).toMatchObject({ ok: true });
    expect(sent("/attachments")).toHaveLength(1);
    expect(sent("/chat/start").map((post) => post.body["attachments"])).toEqual([["att_1"], ["att_1"]]);
  });

  it("B033: an answer that got lost makes no second run, a changed message does", async () => {
    page.client.composers.setText("ses_1", "once");
    backend.plannedPosts.push(null, null);
    expect(await page.client.composers.send("ses_1", "start")).toMatchObject({ ok: false, code: "unreachable" });
    expect(await page.client.composers.send("ses_1", "start")).toMatchObject({ value: { stream_id: "run_1" } });
    const [first, ...more] = sent("/chat/start");
    expect(more.map((post) => post.key)).toEqual([first?.key, first?.key]);
    page.client.composers.setText("ses_1", "twice");
    await page.client.composers.send("ses_1", "start");
    expect(sent("/chat/start")[3]?.key).not.toBe(first?.key);
  });

  it("B279: an answer that got lost once is asked for again, and nothing comes back into the box", async () => {
    page.client.composers.setText("ses_1", "once");
    backend.plannedPosts.push(null);
    expect(await page.client.composers.send("ses_1", "start")).toMatchObject({ ok: true, value: { stream_id: "run_1" } });
    expect(composer()).toMatchObject({ text: "", sending: null, failure: null });
    page.client.composers.setText("ses_1", "/help");
    backend.plannedPosts.push(null);
    expect(await page.client.composers.send("ses_1", "command")).toMatchObject({ ok: false, code: "unreachable" });
    expect(sent("/commands")).toHaveLength(1);
  });

  it("keeps what was typed while a message was on its way, behind what comes back", async () => {
    page.client.composers.setText("ses_1", "first");
    backend.plannedPosts.push(503);
    const answer = page.client.composers.send("ses_1", "start");
    page.client.composers.setText("ses_1", "second");
    await answer;
    expect(composer().text).toBe("first\n\nsecond");
  });

  it("queues, steers and runs commands by their own routes", async () => {
    page.client.composers.setText("ses_1", "later");
    expect(await page.client.composers.send("ses_1", "steer")).toMatchObject({ value: { stream_id: null, queue_id: "que_1" } });
    expect(sent("/queue")).toMatchObject([{ body: { session_id: "ses_1", message: "later", mode: "steer" } }]);
    page.client.composers.setText("ses_1", "/status");
    expect(await page.client.composers.send("ses_1", "command")).toMatchObject({ value: { session_id: "ses_1", message: "Done." } });
    expect(sent("/commands")).toMatchObject([{ body: { session_id: "ses_1", text: "/status" } }]);
  });

  it("B088: a steer that is refused comes back into the box with one notice, and stops nothing", async () => {
    page.client.composers.setText("ses_1", "mind the gap");
    backend.plannedPosts.push(503);
    expect(await page.client.composers.send("ses_1", "steer")).toMatchObject({ ok: false, code: "runner_unavailable" });
    expect(composer()).toMatchObject({ text: "mind the gap", sending: null, failure: { code: "runner_unavailable" } });
    expect(backend.posts.map((post) => [post.path, post.body["mode"]])).toEqual([["/base/api/queue", "steer"]]);
  });

  it("starts a session that is not made yet", async () => {
    page.client.composers.setText(NEW_SESSION, "hello");
    expect(await page.client.composers.send(NEW_SESSION, "start", { profile: "work" })).toMatchObject({ value: { session_id: "ses_made1" } });
    expect(sent("/chat/start")[0]?.body).toEqual({ message: "hello", attachments: [], profile: "work" });
    expect(await page.client.composers.send(NEW_SESSION, "queue")).toBeNull();
  });
});

describe("drafts", () => {
  it("B279: belong to their session and survive a reload; what was sent does not come back", async () => {
    page.client.composers.setText("ses_1", "sent");
    page.client.composers.setText("ses_2", "half a thought");
    await page.client.composers.send("ses_1", "start");
    reload();
    expect(composer("ses_1").text).toBe("");
    expect(composer("ses_2").text).toBe("half a thought");
  });

  it("B279: a reload in the middle of sending sends the same message once and leaves the box empty", async () => {
    page.client.composers.setText("ses_1", "on its way");
    void page.client.composers.send("ses_1", "start");
    reload();
    expect(composer().text).toBe("");
    await until(() => composer().sending, null);
    expect(composer().text).toBe("");
    const starts = sent("/chat/start");
    expect(new Set(starts.map((post) => post.key)).size).toBe(1);
    expect(starts.every((post) => post.body["message"] === "on its way")).toBe(true);
  });

  it("gives a message back that was on its way too long ago, and a command always", async () => {
    const sending = { key: "key_old", mode: "start", text: "old", attachments: [], choices: {}, started_at: page.tab.clock.now() - 3_600_000 };
    profile.keep.write("hermes-draft:/base:ses_1", JSON.stringify({ text: "", attachments: [], sending }));
    const command = { ...sending, mode: "command", text: "/clear", started_at: page.tab.clock.now() };
    profile.keep.write("hermes-draft:/base:ses_2", JSON.stringify({ text: "", attachments: [], sending: command }));
    profile.keep.write("hermes-draft:/base:ses_3", "not a draft");
    page.close();
    page = openPage();
    expect(composer("ses_1")).toMatchObject({ text: "old", sending: null });
    expect(composer("ses_2")).toMatchObject({ text: "/clear", sending: null });
    expect(composer("ses_3").text).toBe("");
    expect(backend.posts).toEqual([]);
  });

  it("another tab that finishes a send does not undo what is typed here", async () => {
    page.client.composers.setText("ses_1", "first");
    backend.plannedPosts.push(null);
    const lost = page.client.composers.send("ses_1", "start");
    const other = openPage();
    await lost;
    page.client.composers.setText("ses_1", "typed here");
    page.tab.show(false);
    await until(() => other.client.composers.get("ses_1").sending, null);
    reload();
    expect(composer().text).toBe("typed here");
    other.close();
  });

  it("takes text in from elsewhere, e.g. an answer whose question is over", () => {
    page.client.composers.setText("ses_1", "draft");
    page.client.composers.appendText("ses_1", "typed answer");
    expect(composer().text).toBe("draft\n\ntyped answer");
  });
});

describe("files", () => {
  it("that make a session leave what was typed in it before their answer came", async () => {
    const adding = page.client.composers.addFiles(NEW_SESSION, [note()]);
    page.client.composers.setText("ses_made1", "typed at once");
    expect(await adding).toMatchObject({ ok: true, value: { session_id: "ses_made1" } });
    expect(composer("ses_made1").text).toBe("typed at once");
  });

  it("make the session of a new composer first, and take the text along", async () => {
    page.client.composers.setText(NEW_SESSION, "look at this");
    const answer = await page.client.composers.addFiles(NEW_SESSION, [note()], { profile: "work" });
    expect(answer).toEqual({ ok: true, value: { session_id: "ses_made1" } });
    await until(() => composer("ses_made1").attachments.length, 1);
    expect(composer("ses_made1")).toMatchObject({ text: "look at this", uploads: [] });
    expect(composer(NEW_SESSION).text).toBe("");
  });

  it("that come together are all stored, in their order (B212)", async () => {
    const names = ["a", "b", "c", "d", "e"];
    await page.client.composers.addFiles("ses_1", names.map((name) => new File([name], `${name}.txt`)));
    await until(() => composer().attachments.length, 5);
    expect(composer().uploads).toEqual([]);
    const uploaded = sent("/attachments").map((post) => /filename="(\w)\.txt"/.exec(String(post.body["raw"]))?.[1]);
    expect([...uploaded].sort()).toEqual(names);
    expect(new Set(composer().attachments.map((attachment) => attachment.attachment_id)).size).toBe(5);
  });

  it("that fail say so and can be tried again or given up", async () => {
    backend.plannedPosts.push(503);
    await page.client.composers.addFiles("ses_1", [note()]);
    await until(() => composer().uploads[0]?.failure?.code, "runner_unavailable");
    const id = composer().uploads[0]?.upload_id ?? "";
    page.client.composers.retryUpload("ses_1", id);
    await until(() => composer().attachments.length, 1);
    expect(composer().uploads).toEqual([]);
    page.client.composers.removeAttachment("ses_1", composer().attachments[0]?.attachment_id ?? "");
    await page.client.composers.addFiles("ses_1", [note()]);
    page.client.composers.cancelUpload("ses_1", composer().uploads[0]?.upload_id ?? "");
    expect(composer()).toMatchObject({ uploads: [], attachments: [] });
  });
});
