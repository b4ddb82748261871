import { describe, expect, it } from "vitest";
import { refusalOf, soon, type RuntimeStory } from "./runtime-contract-story";

/** Comes last: nothing starts here afterwards. */
export function drainStories(story: () => RuntimeStory): void {
  describe("shutting down", () => {
    it("starts nothing, lets what works finish, and leaves what waits as it is", () => drain(story()));
  });
}

async function drain(story: RuntimeStory): Promise<void> {
  const sessionId = await story.idleSession();
  const waiting = await story.start("ask Go on? | yes");
  const prompt = await story.reach(waiting.run_id, "awaiting_clarify");
  const working = await story.start("stream 60 20");
  await soon(async () => (await story.view(working.run_id)).parts.length > 0, "the first words");
  const drained = story.backend.drain();
  await soon(async () => refusalOf(await story.adapter.startRun({ session_id: sessionId, message: "say No." })) === "draining", "starts are refused");
  expect(refusalOf(await story.adapter.queueMessage(sessionId, { message: "say No.", mode: "queue" }))).toBe("draining");
  expect(refusalOf(await story.adapter.updateGoal(sessionId, "set", "say No."))).toBe("draining");
  expect(await story.runIds(sessionId)).toHaveLength(1);
  await drained;
  expect(await story.view(working.run_id)).toMatchObject({ terminal_state: "completed" });
  expect(await story.state(waiting.run_id)).toMatchObject({ status: "awaiting_clarify", pending_clarify_id: prompt.pending_clarify_id });
}
