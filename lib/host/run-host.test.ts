/** Stories of one run on a real database with the practice model: what a person does, what the journal says. */
import { afterEach, describe, expect, it } from "vitest";
import { openPrompts } from "#fold/open-work";
import { until } from "#testing/until";
import { openStory, texts } from "./host-story.fixture";
import type { HostStory } from "./host-story.fixture";

let story: HostStory;

afterEach(() => story.close());

describe("a run from start to end", () => {
  it("thinks, runs a command, plans and answers", async () => {
    story = await openStory();
    const { run_id } = await story.start("think Look first.\nplan look; say\nrun echo one; echo two >&2\n\nsay It said one.");
    const found = await story.ended(run_id);
    expect(found).toMatchObject({ status: "completed", terminal_state: "completed", source: "webui" });
    expect(found.parts.map((part) => part.type)).toEqual(["reasoning", "tool", "tool", "todo", "text"]);
    expect(found.parts.find((part) => part.type === "tool" && part.name === "terminal")).toMatchObject({ status: "ok", stdout: "one\n", stderr: "two\n", exit_code: 0 });
    await story.lawful(run_id);
  });

  it("fails with the model's own code, keeps what was shown, and the next turn works", async () => {
    story = await openStory();
    const first = await story.start("say Before.\nfail provider_overloaded");
    expect(await story.ended(first.run_id)).toMatchObject({ status: "failed", error: { code: "provider_overloaded" } });
    expect(texts(await story.view(first.run_id))).toEqual(["Before."]);
    const second = await story.start("say After.", first.session_id);
    expect(await story.ended(second.run_id)).toMatchObject({ status: "completed" });
    await story.lawful(first.run_id);
  });

  it("B087: of twenty starts at one instant exactly one wins", async () => {
    story = await openStory();
    const { session_id, run_id } = await story.start("say Hello.");
    await story.ended(run_id);
    const starts = await Promise.all(Array.from({ length: 20 }, () => story.host.host.start({ session_id, message: "sleep 300" })));
    expect(starts.filter((outcome) => outcome.ok)).toHaveLength(1);
    const codes = starts.flatMap((outcome) => (outcome.ok ? [] : [outcome.error.code]));
    expect(new Set(codes)).toEqual(new Set(["run_active"]));
  });
});

describe("cancel (contract 5.2.5)", () => {
  it("H4, B047: twenty cancels, one accepted, one terminal event", async () => {
    story = await openStory();
    const { run_id } = await story.start("stream 500 5");
    await until(async () => texts(await story.view(run_id)).join("").length > 20);
    const results = await Promise.all(Array.from({ length: 20 }, () => story.host.host.cancel(run_id, "Stopped.")));
    expect(results.filter((result) => result.ok && result.value.accepted)).toHaveLength(1);
    const found = await story.ended(run_id);
    expect(found).toMatchObject({ status: "cancelled", terminal_state: "cancelled" });
    expect("w1 w2 w3").toBe(texts(found).join("").slice(0, 8));
    expect(await story.host.host.cancel(run_id, "Again.")).toMatchObject({ ok: true, value: { accepted: false, status: "not-active" } });
    await story.lawful(run_id);
  });

  it("B037: a shell that ignores TERM and INT is gone within ten seconds, and says so", async () => {
    story = await openStory();
    const { run_id } = await story.start(`run bash -c 'trap "" INT TERM; echo READY; sleep 300; sleep 300'`);
    await until(async () => (await story.view(run_id)).parts.some((part) => part.type === "approval" || (part.type === "tool" && part.stdout.includes("READY"))));
    for (const prompt of openPrompts(await story.view(run_id))) if (prompt.type === "approval") await story.host.host.respondApproval(run_id, prompt.approval_id, "once");
    await until(async () => (await story.view(run_id)).parts.some((part) => part.type === "tool" && part.stdout.includes("READY")));
    const asked = performance.now();
    await story.host.host.cancel(run_id, "Stopped.");
    const found = await story.ended(run_id);
    expect(performance.now() - asked).toBeLessThan(10_000);
    expect(found.cancelled).toMatchObject({ survivors: 0 });
    expect(found.cancelled?.processes).toBeGreaterThan(0);
    expect(found.parts.find((part) => part.type === "tool")).toMatchObject({ status: "cancelled", stdout: "READY\n" });
  }, 20_000);

  it("B052: the rest of a step never starts, and each call has its end", async () => {
    story = await openStory();
    const { run_id } = await story.start(["run echo 1", "run sleep 30", "run echo 3", "run echo 4"].join("\n"));
    await until(async () => (await story.view(run_id)).parts.some((part) => part.type === "tool" && part.title === "sleep 30" && part.status === "running"));
    await story.host.host.cancel(run_id, "Stopped.");
    await story.ended(run_id);
    const events = await story.lawful(run_id);
    expect(events.filter((event) => event.type === "tool.started")).toHaveLength(2);
  });

  it("B063: closes a prompt that waits, and a late answer changes nothing", async () => {
    story = await openStory();
    const { run_id } = await story.start("run rm -r gone");
    await until(async () => openPrompts(await story.view(run_id)).length === 1);
    const prompt = openPrompts(await story.view(run_id))[0];
    await story.host.host.cancel(run_id, "Stopped.");
    const found = await story.ended(run_id);
    expect(found.parts.find((part) => part.type === "approval")).toMatchObject({ status: "cancelled" });
    const late = await story.host.host.respondApproval(run_id, prompt?.type === "approval" ? prompt.approval_id : "", "once");
    expect(late).toMatchObject({ ok: true, value: { accepted: false, status: "not-active" } });
    expect((await story.lawful(run_id)).some((event) => event.type === "tool.started")).toBe(false);
  });
});

describe("prompts", () => {
  it("B066: fifty answers, one winner", async () => {
    story = await openStory();
    const { run_id } = await story.start("run rm -rf one two\n\nsay After.");
    await until(async () => openPrompts(await story.view(run_id)).length === 1);
    const prompt = openPrompts(await story.view(run_id))[0];
    const id = prompt?.type === "approval" ? prompt.approval_id : "";
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => story.host.host.respondApproval(run_id, id, index % 2 === 0 ? "deny" : "once")));
    expect(answers.filter((answer) => answer.ok && answer.value.accepted)).toHaveLength(1);
    await story.ended(run_id);
    const events = await story.lawful(run_id);
    expect(events.filter((event) => event.type === "approval.resolved")).toHaveLength(1);
  });

  it("an expired approval counts as deny and the run goes on (B069)", async () => {
    story = await openStory({ env: { HERMES_APPROVAL_TIMEOUT_S: "1" } });
    const { run_id } = await story.start("run rm -rf folder\n\nsay After.");
    const found = await story.ended(run_id);
    expect(found.parts.find((part) => part.type === "approval")).toMatchObject({ status: "expired" });
    expect(found.parts.find((part) => part.type === "tool")).toMatchObject({ status: "denied" });
    expect(texts(found)).toEqual(["After."]);
  });

  it("B078: an answer becomes the result once, byte for byte", async () => {
    story = await openStory();
    const { run_id } = await story.start("ask Which? | left | right\n\nsay Thanks.");
    await until(async () => openPrompts(await story.view(run_id)).length === 1);
    const prompt = openPrompts(await story.view(run_id))[0];
    const id = prompt?.type === "clarify" ? prompt.clarify_id : "";
    expect((await story.view(run_id)).status).toBe("awaiting_clarify");
    expect(await story.host.host.respondClarify(run_id, id, { response: "blå 🧪" })).toMatchObject({ ok: true, value: { accepted: true } });
    expect(await story.host.host.respondClarify(run_id, id, { response: "no" })).toMatchObject({ ok: true, value: { accepted: false } });
    const found = await story.ended(run_id);
    expect(found.parts.find((part) => part.type === "tool")?.result).toContain("blå 🧪");
  });

  it("`session` allows the pattern for the session, yolo releases what waits", async () => {
    story = await openStory();
    const first = await story.start("run rm -rf a\n\nrun rm -rf b\n\nsay Done.");
    await until(async () => openPrompts(await story.view(first.run_id)).length === 1);
    const prompt = openPrompts(await story.view(first.run_id))[0];
    await story.host.host.respondApproval(first.run_id, prompt?.type === "approval" ? prompt.approval_id : "", "session");
    const found = await story.ended(first.run_id);
    expect(found.parts.filter((part) => part.type === "approval")).toHaveLength(1);
    const other = await story.start("run rm -rf a");
    await until(async () => openPrompts(await story.view(other.run_id)).length === 1);
    expect(await story.host.controls.setYolo(other.session_id, true)).toEqual({ ok: true, value: true });
    expect((await story.ended(other.run_id)).parts.find((part) => part.type === "approval")).toMatchObject({ status: "approved", by: "yolo" });
  });
});

