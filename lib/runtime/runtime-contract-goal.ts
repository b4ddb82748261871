import { describe, expect, it } from "vitest";
import { refusalOf, soon, taken, type RuntimeStory } from "./runtime-contract-story";

export function goalStories(story: () => RuntimeStory): void {
  describe("goal", () => {
    it("without one only set and status are answered", () => withoutGoal(story()));
    it("is set, worked at, judged and done without anybody looking", () => done(story()));
    it("goes on until it is paused, keeps its words, and goes on again (B094)", () => pausedAndResumed(story()));
    it("cannot be set while a run is active", () => whileActive(story()));
  });
}

async function withoutGoal(story: RuntimeStory): Promise<void> {
  const sessionId = await story.idleSession();
  for (const action of ["pause", "resume", "clear"] as const) expect(refusalOf(await story.adapter.updateGoal(sessionId, action, null))).toBe("no_goal");
  expect(refusalOf(await story.adapter.updateGoal(sessionId, "edit", "other words"))).toBe("no_goal");
  expect(taken(await story.adapter.updateGoal(sessionId, "status", null))).toMatchObject({ goal: null, started: null });
  expect(refusalOf(await story.adapter.updateGoal(sessionId, "set", " "))).toBe("invalid_request");
  expect(refusalOf(await story.adapter.updateGoal("ses_unknown", "status", null))).toBe("session_not_found");
  expect(refusalOf(await story.adapter.updateGoal("../x", "set", "x"))).toBe("session_not_found");
}

async function done(story: RuntimeStory): Promise<void> {
  const sessionId = await story.idleSession();
  const set = taken(await story.adapter.updateGoal(sessionId, "set", "say Tidy."));
  expect(set).toMatchObject({ goal: { goal: "say Tidy.", status: "active", turns_used: 0, max_turns: 20 }, started: { session_id: sessionId } });
  await soon(async () => taken(await story.adapter.updateGoal(sessionId, "status", null)).goal?.status === "done", "the goal is done");
  expect(await story.view(set.started?.run_id ?? "")).toMatchObject({ source: "goal", message: { text: "say Tidy." }, terminal_state: "completed" });
  expect(taken(await story.adapter.updateGoal(sessionId, "status", null)).goal).toMatchObject({ turns_used: 1, last_verdict: "done" });
  expect(taken(await story.adapter.updateGoal(sessionId, "clear", null)).goal).toBeNull();
  expect(refusalOf(await story.adapter.updateGoal(sessionId, "clear", null))).toBe("no_goal");
}

async function pausedAndResumed(story: RuntimeStory): Promise<void> {
  const sessionId = await story.idleSession();
  taken(await story.adapter.updateGoal(sessionId, "set", "say More, please: judge continue."));
  await soon(async () => (await story.runIds(sessionId)).length >= 3, "a second turn of the goal");
  expect(taken(await story.adapter.updateGoal(sessionId, "pause", null)).goal).toMatchObject({ status: "paused" });
  await soon(async () => (await Promise.all((await story.runIds(sessionId)).map((runId) => story.state(runId)))).every((state) => state.terminal_state !== null), "its turns ended");
  const before = await story.runIds(sessionId);
  const edited = taken(await story.adapter.updateGoal(sessionId, "edit", "say Enough."));
  expect(edited.goal).toMatchObject({ goal: "say Enough.", status: "paused" });
  expect(edited.goal?.turns_used).toBeGreaterThanOrEqual(1);
  expect(await story.runIds(sessionId)).toEqual(before);
  const resumed = taken(await story.adapter.updateGoal(sessionId, "resume", null));
  expect(resumed).toMatchObject({ goal: { status: "active", turns_used: 0 }, started: { session_id: sessionId } });
  await soon(async () => taken(await story.adapter.updateGoal(sessionId, "status", null)).goal?.status === "done", "the goal is done");
  // A continuation is not shown as the person's own words.
  expect(await story.view(resumed.started?.run_id ?? "")).toMatchObject({ source: "goal", message: null });
}

async function whileActive(story: RuntimeStory): Promise<void> {
  const { run_id, session_id } = await story.start("ask Go on? | yes");
  await story.reach(run_id, "awaiting_clarify");
  expect(await story.adapter.updateGoal(session_id, "set", "say x")).toMatchObject({ ok: false, error: { code: "run_active", details: { active_stream_id: run_id } } });
  expect(taken(await story.adapter.updateGoal(session_id, "status", null)).goal).toBeNull();
  await story.adapter.cancelRun(run_id);
  await story.ended(run_id);
}
