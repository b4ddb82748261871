import { describe, expect, it } from "vitest";
import type { RunEventBody } from "#protocol/events";
import type { RunView } from "#protocol/run-view";
import { foldRunAll } from "./fold-run";
import * as say from "./run-story.fixture";
import { activeRun, changedFiles, contextMeter, currentTodo, isQueueHeld, promptsOf, waitingSessions } from "./session-selectors";
import { summary } from "./session-story.fixture";
import { outcomeOf, turnsOf, usageFactsOf } from "./transcript";

function run(id: string, bodies: readonly RunEventBody[], more: say.StoryOptions = {}): RunView {
  return foldRunAll(null, say.story(bodies, { runId: id, ...more }));
}

describe("turns", () => {
  it("group neighbouring traces, keep words and prompts apart, and draw no empty words", () => {
    const view = run("run_1", [
      say.reasoning("hm"),
      say.requested(["call_1", "call_2"]),
      say.approvalRequested("apr_1", "call_1"),
      say.requested(["call_3"], "msg_b"),
      say.token("  ", "seg_1", "msg_c"),
      say.token("Done.", "seg_2", "msg_c"),
    ]);
    const [turn] = turnsOf({ runs: [view] });
    expect(turn?.blocks.map((block) => (block.kind === "work" ? block.parts.map((part) => part.type) : block.kind))).toEqual([
      ["reasoning", "tool", "tool"],
      "approval",
      ["tool"],
      "words",
    ]);
  });

  it("count the tries of a retry and say who opened a turn", () => {
    const first = { ...run("run_1", [say.done()]), rewound: true };
    const second = { ...run("run_2", [say.done()], { source: "retry" }), rewound: true };
    const third = run("run_3", [say.done()], { source: "retry" });
    const turns = turnsOf({ runs: [first, second, third, run("run_4", [], { source: "slack" })] });
    expect(turns.map((turn) => [turn.run.run_id, turn.opening, turn.attempt])).toEqual([
      ["run_3", "retry", 3],
      ["run_4", "person", 1],
    ]);
  });
});

describe("B227: the outcome follows from the terminal state alone", () => {
  it.each<readonly [string, readonly RunEventBody[], unknown]>([
    ["running", [say.token("x")], null],
    ["answered", [say.failed("provider_overloaded"), say.token("full"), say.done()], null],
    ["stopped", [say.cancelled()], { kind: "stopped", after_s: 1, processes: 1, survivors: 0, reason: "user" }],
    ["failed", [say.failed("provider_bad_request")], { kind: "failed", code: "provider_bad_request", message: "It did not work.", retryable: true }],
    ["interrupted", [say.failed("runtime_interrupted")], { kind: "interrupted", at: 1001, message: "It did not work." }],
    ["step limit", [say.requested(["call_1"]), say.done("tool_limit_reached")], { kind: "step_limit", steps: 1 }],
    ["no answer", [say.done("no_response")], { kind: "no_answer" }],
    ["too long", [say.failed("context_overflow", { terminal_state: "compression_exhausted" })], { kind: "too_long" }],
  ])("%s", (_name, bodies, outcome) => {
    expect(outcomeOf(run("run_1", bodies))).toEqual(outcome);
  });
});

describe("facts of a session", () => {
  it("leaves unknown usage unknown", () => {
    expect(usageFactsOf(run("run_1", [say.usage(100, null, null), say.done()]))).toMatchObject({ input_tokens: 100, cost_usd: null, seconds: 2 });
    expect(usageFactsOf(run("run_1", []))).toMatchObject({ input_tokens: null, provider: "demo", seconds: null });
  });

  it("B271: the context meter keeps the latest known and marks what cannot be", () => {
    const known = run("run_1", [say.usage(1, 6000, 8000), say.done()]);
    const silent = run("run_2", [say.usage(1, null, null), say.done()]);
    expect(contextMeter({ runs: [known, silent] })).toEqual({ tokens: 6000, window: 8000, share: 0.75, over: false, model: "practice" });
    expect(contextMeter({ runs: [run("run_1", [say.usage(1, 9000, 8000)])] })).toMatchObject({ share: 1, over: true });
    expect(contextMeter({ runs: [run("run_1", [say.usage(1, 10, 0)])] })).toMatchObject({ window: null, share: null });
    expect(contextMeter({ runs: [silent] })).toBeNull();
  });

  it("adds up changed files over the drawn turns", () => {
    const change = (call: string, path: string, kind: "created" | "changed" | "deleted", added: number): RunEventBody => ({
      type: "tool.done",
      payload: { tool_call_id: call, result: "", status: "ok", duration_ms: 1, is_error: false, files: [{ path, kind, added, removed: 1 }] },
    });
    const view = run("run_1", [
      say.requested(["c1", "c2", "c3", "c4", "c5"]),
      change("c1", "a.ts", "created", 5),
      change("c2", "b.ts", "changed", 1),
      change("c3", "a.ts", "changed", 2),
      change("c4", "tmp", "created", 1),
      change("c5", "tmp", "deleted", 0),
    ]);
    expect(changedFiles({ runs: [view] })).toEqual([
      { path: "a.ts", kind: "created", added: 7, removed: 2, tool_call_id: "c3" },
      { path: "b.ts", kind: "changed", added: 1, removed: 1, tool_call_id: "c2" },
    ]);
    expect(changedFiles({ runs: [{ ...view, rewound: true }] })).toEqual([]);
  });

  it("finds the current todo, the active run and what waits", () => {
    const todo: RunEventBody = { type: "todo.updated", payload: { items: [{ id: "1", text: "a", status: "pending" }] } };
    const live = run("run_2", [say.requested(["call_1"]), say.approvalRequested("apr_1", "call_1")]);
    const runs = [run("run_1", [todo, say.done()]), live];
    expect(currentTodo({ runs })).toMatchObject({ active: false, items: [{ text: "a" }] });
    expect(activeRun({ runs })).toBe(live);
    expect(promptsOf({ runs })).toHaveLength(1);
    const list = [summary("ses_1"), summary("ses_2", { status: "awaiting_clarify", updated_at: 9 }), summary("ses_3", { status: "awaiting_approval", updated_at: 5 })];
    expect(waitingSessions(list).map((session) => session.session_id)).toEqual(["ses_3", "ses_2"]);
  });

  it("knows a held queue", () => {
    const item = { queue_id: "que_1", text: "x", mode: "queue" as const, created_at: 1 };
    expect(isQueueHeld({ queue: [], queue_held_reason: "stopped" })).toBe(false);
    expect(isQueueHeld({ queue: [item], queue_held_reason: "stopped" })).toBe(true);
    expect(isQueueHeld({ queue: [{ ...item, held: true }], queue_held_reason: null })).toBe(true);
  });
});
