import { describe, expect, it } from "vitest";
import { refusalOf, soon, taken, UNKNOWN_IDS, type RuntimeStory } from "./runtime-contract-story";

export function cancelStories(story: () => RuntimeStory): void {
  describe("cancel", () => {
    it("is taken exactly once of twenty, and ends the run once (H4)", () => cancelStorm(story()));
    it("stops a tool, and calls that wait behind it never start", () => cancelInTool(story()));
    it("ends a queued run at once, without a step", () => cancelQueued(story()));
    it("closes what a prompt asked", () => cancelWhileAsked(story()));
    it("of an ended or unknown run changes nothing and says so", () => lateCancel(story()));
  });
}

async function cancelStorm(story: RuntimeStory): Promise<void> {
  const { run_id } = await story.start("stream 2000 5");
  await soon(async () => (await story.view(run_id)).parts.length > 0, "the first words");
  const results = (await Promise.all(Array.from({ length: 20 }, () => story.adapter.cancelRun(run_id)))).map(taken);
  expect(results.filter((result) => result.accepted)).toHaveLength(1);
  for (const result of results) {
    if (!result.accepted) expect(["cancelling", "not-active"]).toContain(result.status);
    expect(result.safe_message).not.toBe("");
  }
  const view = await story.ended(run_id);
  expect(view).toMatchObject({ status: "cancelled", terminal_state: "cancelled", cancelled: { survivors: 0 }, error: null });
  const events = await story.lawful(run_id);
  expect(events.filter((event) => event.type === "status" && event.payload.status === "cancelling")).toHaveLength(1);
  expect(events.find((event) => event.event_id === results.find((result) => result.accepted)?.event_id)).toMatchObject({ type: "status", payload: { status: "cancelling" } });
  // What was shown stays: a beginning of what the model would have said.
  const [text] = view.parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  expect(text?.split(" ")).toEqual(text?.split(" ").map((_, index) => `w${index + 1}`));
}

async function cancelInTool(story: RuntimeStory): Promise<void> {
  const { run_id } = await story.start("run echo begun; sleep 30\nrun echo second\nrun echo third");
  await soon(async () => (await story.view(run_id)).parts.some((part) => part.type === "tool" && part.stdout.includes("begun")), "the command's output");
  expect(taken(await story.adapter.cancelRun(run_id)).accepted).toBe(true);
  const view = await story.ended(run_id);
  expect(view.parts.flatMap((part) => (part.type === "tool" ? [part.status] : []))).toEqual(["cancelled", "cancelled", "cancelled"]);
  expect(view.cancelled?.survivors).toBe(0);
  const events = await story.lawful(run_id);
  expect(events.filter((event) => event.type === "tool.started")).toHaveLength(1);
  expect(events.filter((event) => event.type === "tool.done")).toHaveLength(3);
}

async function cancelQueued(story: RuntimeStory): Promise<void> {
  const working = [await story.start("stream 4000 5"), await story.start("stream 4000 5")];
  const waiting = await story.start("say Never.");
  expect(waiting).toMatchObject({ status: "queued", cursor: `${waiting.run_id}:2`, active_controls: ["cancel", "queue"] });
  expect(taken(await story.adapter.cancelRun(waiting.run_id)).accepted).toBe(true);
  const view = await story.ended(waiting.run_id);
  expect(view).toMatchObject({ terminal_state: "cancelled", parts: [] });
  for (const { run_id } of working) expect(taken(await story.adapter.cancelRun(run_id)).accepted).toBe(true);
  for (const { run_id } of working) await story.ended(run_id);
}

async function cancelWhileAsked(story: RuntimeStory): Promise<void> {
  const { run_id } = await story.start("run rm -r build\nask Which? | a | b");
  const { pending_approval_id } = await story.reach(run_id, "awaiting_approval");
  await story.adapter.cancelRun(run_id);
  const view = await story.ended(run_id);
  expect(view.parts).toMatchObject([{ type: "tool", status: "cancelled" }, { type: "tool", status: "cancelled" }, { type: "approval", status: "cancelled", choice: null }, { type: "clarify", status: "cancelled" }]);
  // A card that is still on a screen is late.
  expect(taken(await story.adapter.respondApproval(run_id, pending_approval_id ?? "", "once"))).toMatchObject({ accepted: false, status: "not-active", event_id: null });
  await story.lawful(run_id);
}

async function lateCancel(story: RuntimeStory): Promise<void> {
  const { run_id } = await story.start("say Hello.");
  const { last_seq } = await story.ended(run_id);
  expect(taken(await story.adapter.cancelRun(run_id))).toMatchObject({ accepted: false, status: "not-active", event_id: null });
  expect(await story.state(run_id)).toMatchObject({ status: "completed", last_seq });
  for (const id of UNKNOWN_IDS) expect(refusalOf(await story.adapter.cancelRun(id))).toBe("run_not_found");
}
