import { describe, expect, it } from "vitest";
import { refusalOf, soon, taken, type RuntimeStory } from "./runtime-contract-story";

export function sessionStories(story: () => RuntimeStory): void {
  describe("a session's own controls", () => {
    it("yolo releases what waits, and asks no more", () => yolo(story()));
    it("retry takes the last turn out and starts it anew", () => retry(story()));
    it("compress needs something to sum up, and an idle session", () => compress(story()));
    it("quiesce ends the run and answers when it has ended", () => quiesce(story()));
    it("of an unknown session say so", () => unknownSessions(story()));
    it("a profile's MCP servers are told without being opened", async () => {
      expect(taken(await story().backend.runtime().mcpServers("default"))).toEqual([]);
    });
  });
}

async function yolo(story: RuntimeStory): Promise<void> {
  const { run_id, session_id } = await story.start("run echo one; rm -rf a\nrun echo two; rm -rf b");
  await story.reach(run_id, "awaiting_approval");
  expect(taken(await story.controls.setYolo(session_id, true))).toBe(true);
  const view = await story.ended(run_id);
  expect(view.parts.flatMap((part) => (part.type === "approval" ? [[part.status, part.choice]] : []))).toEqual([["approved", "once"], ["approved", "once"]]);
  const free = await story.start("run echo free; rm -rf c", { session_id });
  expect((await story.ended(free.run_id)).parts.some((part) => part.type === "approval")).toBe(false);
  expect(taken(await story.controls.setYolo(session_id, false))).toBe(false);
  const asked = await story.start("run rm -rf d", { session_id });
  await story.reach(asked.run_id, "awaiting_approval");
  await story.adapter.cancelRun(asked.run_id);
  await story.ended(asked.run_id);
}

async function retry(story: RuntimeStory): Promise<void> {
  const first = await story.start("say First.");
  await story.ended(first.run_id);
  const again = taken(await story.controls.retry(first.session_id, null, null));
  expect(await story.ended(again.run_id)).toMatchObject({ source: "retry", message: { text: "say First." } });
  const other = taken(await story.controls.retry(first.session_id, again.run_id, "say Other."));
  expect(await story.ended(other.run_id)).toMatchObject({ source: "retry", message: { text: "say Other." } });
  expect(refusalOf(await story.controls.retry(first.session_id, first.run_id, null))).toBe("conflict");
  expect(refusalOf(await story.controls.retry(first.session_id, "run_unknown", null))).toBe("conflict");
}

async function compress(story: RuntimeStory): Promise<void> {
  const sessionId = await story.idleSession();
  expect(refusalOf(await story.controls.compress(sessionId, null))).toBe("conflict");
  const { run_id, session_id } = await story.start("ask Go on? | yes");
  await story.reach(run_id, "awaiting_clarify");
  expect(refusalOf(await story.controls.compress(session_id, null))).toBe("run_active");
  expect(refusalOf(await story.controls.retry(session_id, null, null))).toBe("run_active");
  await story.adapter.cancelRun(run_id);
  await story.ended(run_id);
}

async function quiesce(story: RuntimeStory): Promise<void> {
  const { run_id, session_id } = await story.start("run echo begun; sleep 30");
  await soon(async () => (await story.view(run_id)).parts.some((part) => part.type === "tool" && part.stdout !== ""), "the command's output");
  expect(taken(await story.controls.quiesce(session_id))).toBeNull();
  expect(await story.state(run_id)).toMatchObject({ terminal_state: "cancelled" });
  expect(taken(await story.controls.quiesce(session_id))).toBeNull();
}

async function unknownSessions(story: RuntimeStory): Promise<void> {
  for (const id of ["ses_unknown", "", "..", "x".repeat(5_000)]) {
    expect(refusalOf(await story.controls.setYolo(id, true))).toBe("session_not_found");
    expect(refusalOf(await story.controls.compress(id, null))).toBe("session_not_found");
    expect(refusalOf(await story.controls.retry(id, null, null))).toBe("session_not_found");
    expect(refusalOf(await story.controls.quiesce(id))).toBe("session_not_found");
  }
  const sessionId = await story.idleSession();
  expect(taken(await story.controls.listProcesses(sessionId))).toEqual([]);
  expect(refusalOf(await story.controls.stopProcess(sessionId, "prc_unknown"))).toBe("not_found");
}
