import { describe, expect, it } from "vitest";
import { refusalOf, taken, UNKNOWN_IDS, type RuntimeStory } from "./runtime-contract-story";

export function promptStories(story: () => RuntimeStory): void {
  describe("approval", () => {
    it("has one winner among fifty answers, and only what won happens (B066)", () => approvalStorm(story()));
    it("takes several prompts of one step in any order, each by its own id", () => anyOrder(story()));
    it("refuses what was not offered, and still waits", () => notOffered(story()));
    it("that is unknown, foreign or late changes nothing", () => wrongIds(story()));
  });
  describe("clarify", () => {
    it("has one winner, whose words the model is told", () => clarifyStorm(story()));
    it("refuses an answer to another question, and still waits", () => wrongQuestion(story()));
  });
}

async function approvalStorm(story: RuntimeStory): Promise<void> {
  const { run_id } = await story.start("run echo ran; rm -rf nothing-there");
  const { pending_approval_id } = await story.reach(run_id, "awaiting_approval");
  const choices = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? ("once" as const) : ("deny" as const)));
  const results = (await Promise.all(choices.map((choice) => story.adapter.respondApproval(run_id, pending_approval_id ?? "", choice)))).map(taken);
  const winners = results.flatMap((result, index) => (result.accepted ? [{ ...result, choice: choices[index] }] : []));
  expect(winners).toHaveLength(1);
  for (const result of results) if (!result.accepted) expect(result).toMatchObject({ status: "not-active", event_id: null });
  const view = await story.ended(run_id);
  const approved = winners[0]?.choice === "once";
  const tool = view.parts.find((part) => part.type === "tool");
  expect(tool).toMatchObject(approved ? { status: "ok", stdout: "ran\n" } : { status: "denied", stdout: "" });
  const resolved = (await story.lawful(run_id)).filter((event) => event.type === "approval.resolved");
  expect(resolved).toMatchObject([{ event_id: winners[0]?.event_id, payload: { choice: winners[0]?.choice, status: approved ? "approved" : "denied" } }]);
}

async function anyOrder(story: RuntimeStory): Promise<void> {
  const { run_id } = await story.start("run echo one; rm -rf a\nrun echo two; rm -rf b\n\nsay Done.");
  await story.reach(run_id, "awaiting_approval");
  const ids = (await story.view(run_id)).parts.flatMap((part) => (part.type === "approval" ? [part.approval_id] : []));
  expect(ids).toHaveLength(2);
  expect(taken(await story.adapter.respondApproval(run_id, ids[1] ?? "", "deny")).accepted).toBe(true);
  // The first still waits, and nothing of the step ran.
  expect(await story.state(run_id)).toMatchObject({ status: "awaiting_approval", pending_approval_id: ids[0] });
  expect(taken(await story.adapter.respondApproval(run_id, ids[0] ?? "", "once")).accepted).toBe(true);
  const view = await story.ended(run_id);
  expect(view.parts.flatMap((part) => (part.type === "tool" ? [[part.status, part.stdout]] : []))).toEqual([["ok", "one\n"], ["denied", ""]]);
}

async function notOffered(story: RuntimeStory): Promise<void> {
  const { run_id } = await story.start("run echo 'unclosed");
  const { pending_approval_id } = await story.reach(run_id, "awaiting_approval");
  expect(refusalOf(await story.adapter.respondApproval(run_id, pending_approval_id ?? "", "always"))).toBe("invalid_request");
  expect(await story.state(run_id)).toMatchObject({ status: "awaiting_approval", pending_approval_id });
  expect(taken(await story.adapter.respondApproval(run_id, pending_approval_id ?? "", "deny")).accepted).toBe(true);
  expect((await story.ended(run_id)).parts).toMatchObject([{ type: "tool", status: "denied" }, { type: "approval", status: "denied", choice: "deny", by: "person" }, { type: "text" }]);
}

async function wrongIds(story: RuntimeStory): Promise<void> {
  const one = await story.start("run rm -rf a");
  const other = await story.start("run rm -rf b");
  const mine = (await story.reach(one.run_id, "awaiting_approval")).pending_approval_id ?? "";
  const theirs = (await story.reach(other.run_id, "awaiting_approval")).pending_approval_id ?? "";
  const before = await story.state(one.run_id);
  for (const id of [theirs, "apr_unknown", "", "../x", "x".repeat(5_000)].filter((id) => id !== "")) {
    expect(taken(await story.adapter.respondApproval(one.run_id, id, "once"))).toMatchObject({ accepted: false, status: "not-active" });
    expect(taken(await story.adapter.respondClarify(one.run_id, id, { response: "x" }))).toMatchObject({ accepted: false, status: "not-active" });
  }
  for (const id of UNKNOWN_IDS) {
    expect(refusalOf(await story.adapter.respondApproval(id, mine, "once"))).toBe("run_not_found");
    expect(refusalOf(await story.adapter.respondClarify(id, "clr_1", { response: "x" }))).toBe("run_not_found");
  }
  expect(await story.state(one.run_id)).toEqual(before);
  for (const { run_id } of [one, other]) {
    await story.adapter.cancelRun(run_id);
    await story.ended(run_id);
  }
}

async function clarifyStorm(story: RuntimeStory): Promise<void> {
  const { run_id } = await story.start("ask Which colour? | red | blue\n\nsay Thanks.");
  const { pending_clarify_id } = await story.reach(run_id, "awaiting_clarify");
  const words = Array.from({ length: 20 }, (_, index) => `blå ${index} 🧪`);
  const results = (await Promise.all(words.map((response) => story.adapter.respondClarify(run_id, pending_clarify_id ?? "", { response })))).map(taken);
  const won = results.flatMap((result, index) => (result.accepted ? [words[index] ?? ""] : []));
  expect(won).toHaveLength(1);
  const view = await story.ended(run_id);
  expect(view.parts.find((part) => part.type === "tool")).toMatchObject({ status: "ok", result: expect.stringContaining(won[0] ?? "") });
  expect(view.parts.find((part) => part.type === "clarify")).toMatchObject({ status: "answered" });
  expect((await story.lawful(run_id)).filter((event) => event.type === "clarify.resolved")).toHaveLength(1);
  expect(taken(await story.adapter.respondClarify(run_id, pending_clarify_id ?? "", { response: "late" }))).toMatchObject({ accepted: false, status: "not-active" });
}

async function wrongQuestion(story: RuntimeStory): Promise<void> {
  const { run_id } = await story.start("ask Which colour? | red | blue");
  const { pending_clarify_id } = await story.reach(run_id, "awaiting_clarify");
  const id = pending_clarify_id ?? "";
  expect(refusalOf(await story.adapter.respondClarify(run_id, id, { answers: { nothing: "red" } }))).toBe("invalid_request");
  expect(refusalOf(await story.adapter.respondClarify(run_id, id, { response: "  " }))).toBe("invalid_request");
  expect(await story.state(run_id)).toMatchObject({ status: "awaiting_clarify", pending_clarify_id: id });
  const clarify = (await story.view(run_id)).parts.find((part) => part.type === "clarify");
  const question = clarify?.type === "clarify" ? (clarify.questions[0]?.id ?? "") : "";
  expect(taken(await story.adapter.respondClarify(run_id, id, { answers: { [question]: "red" } })).accepted).toBe(true);
  expect((await story.ended(run_id)).terminal_state).toBe("completed");
}
