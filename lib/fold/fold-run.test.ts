import { describe, expect, it } from "vitest";
import { isPartOf } from "./parts-draft";
import { foldRun, foldRunAll, isNext } from "./fold-run";
import { currentStepCalls, openCalls, openPrompts, pendingApproval } from "./open-work";
import * as say from "./run-story.fixture";
import type { RunEvent, RunEventBody } from "#protocol/events";
import type { RunView, ViewPart } from "#protocol/run-view";
import { runViewSchema } from "#protocol/run-view";

function fold(events: readonly RunEvent[]): RunView {
  return events.reduce<RunView | null>((view, event) => foldRun(view, event), null) ?? expect.unreachable();
}

function foldBodies(...bodies: readonly RunEventBody[]): RunView {
  return fold(say.story(bodies));
}

function parts<T extends ViewPart["type"]>(view: RunView, type: T) {
  return view.parts.filter((part) => isPartOf(part, type));
}

describe("C1: a view is the fold of its events", () => {
  it("begins running with the person's words and shows text as it comes", () => {
    const view = foldBodies(say.token("Hel"), say.token("lo"));
    expect(view).toMatchObject({ status: "running", terminal_state: null, last_seq: 3, message: { text: "hello" } });
    expect(view.parts).toEqual([{ type: "text", segment_id: "seg_1", message_id: "msg_a", text: "Hello" }]);
    expect(runViewSchema.parse(view)).toEqual(view);
  });

  it("keeps parts in order of first appearance, though a segment grows later", () => {
    const view = foldBodies(say.token("a", "seg_1"), say.reasoning("hm"), say.token("b", "seg_2"), say.token("c", "seg_1"));
    expect(view.parts.map((part) => part.type)).toEqual(["text", "reasoning", "text"]);
    expect(view.parts[0]).toMatchObject({ text: "ac" });
  });

  it("lets reasoning.done say the whole text", () => {
    const view = foldBodies(say.reasoning("hal"), { type: "reasoning.done", payload: { segment_id: "seg_r", text: "half [redacted]", visibility: "visible" } });
    expect(view.parts).toEqual([{ type: "reasoning", segment_id: "seg_r", text: "half [redacted]", done: true, started_at: 1001, ended_at: 1002 }]);
  });

  it("carries a call from pending through running to done, output byte for byte", () => {
    const before = foldBodies(say.requested(["call_1", "call_2"]));
    expect(parts(before, "tool").map((part) => part.status)).toEqual(["pending", "pending"]);
    expect(before.steps).toBe(1);
    const view = foldBodies(
      say.requested(["call_1"]),
      say.toolStarted("call_1", null),
      say.stdout("call_1", "# x\n\t"),
      { type: "tool.updated", payload: { tool_call_id: "call_1", stderr: "| a |" } },
      say.stdout("call_1", "\n\n\n*y*"),
      say.toolDone("call_1", "done"),
    );
    expect(view.parts[0]).toMatchObject({
      arguments: { command: "echo call_1" },
      stdout: "# x\n\t\n\n\n*y*",
      stderr: "| a |",
      status: "ok",
      result: "done",
      exit_code: 0,
      started_at: 1002,
    });
  });

  it("appends data by its kind", () => {
    const data = (value: unknown): RunEventBody => ({ type: "tool.updated", payload: { tool_call_id: "call_1", data: value } });
    const view = foldBodies(say.requested(["call_1"]), data([1]), data([2, 3]));
    expect(view.parts[0]).toMatchObject({ data: [1, 2, 3] });
    const keyed = foldBodies(say.requested(["call_1"]), data({ a: 1 }), data({ b: 2 }));
    expect(keyed.parts[0]).toMatchObject({ data: { a: 1, b: 2 } });
  });

  it("B035: a repeated request for a call makes no second card", () => {
    const view = foldBodies(say.requested(["call_1"]), say.toolStarted("call_1"), say.requested(["call_1"]));
    expect(parts(view, "tool")).toHaveLength(1);
    expect(parts(view, "tool")[0]).toMatchObject({ status: "running", arguments: { command: "echo call_1" } });
  });

  it("settles each prompt by its own id", () => {
    const view = foldBodies(
      say.requested(["call_1", "call_2"]),
      say.approvalRequested("apr_1", "call_1"),
      say.approvalRequested("apr_2", "call_2"),
      say.status("awaiting_approval"),
      { type: "approval.resolved", payload: { approval_id: "apr_1", choice: "deny", status: "denied", by: "user" } },
    );
    expect(parts(view, "approval").map((part) => part.status)).toEqual(["denied", "pending"]);
    expect(pendingApproval(view)?.approval_id).toBe("apr_2");
    expect(openPrompts(view)).toHaveLength(1);
    expect(openCalls(view)).toHaveLength(2);
    expect(view).toMatchObject({ status: "awaiting_approval", last_seq: 6 });
  });

  it("keeps one todo part in its place and one steer part for each steer", () => {
    const todo = (text: string): RunEventBody => ({ type: "todo.updated", payload: { items: [{ id: "1", text, status: "pending" }] } });
    const view = foldBodies(todo("a"), say.steer("accepted", "left"), say.token("x"), todo("b"), say.steer("applied", "left"));
    expect(view.parts.map((part) => part.type)).toEqual(["todo", "steer", "text"]);
    expect(view.parts[0]).toMatchObject({ items: [{ text: "b" }] });
    expect(view.parts[1]).toMatchObject({ applied: true, applied_at: 1005 });
  });

  it("names the calls of the newest step", () => {
    const view = foldBodies(say.requested(["call_1"], "msg_a"), say.toolDone("call_1"), say.requested(["call_2", "call_3"], "msg_b"));
    expect(currentStepCalls(view).map((call) => call.tool_call_id)).toEqual(["call_2", "call_3"]);
  });

  it("B268, B271: usage is the latest total, and what was known of the context stays", () => {
    const view = foldBodies(say.usage(100, 500, 8000), say.usage(250, null, null));
    expect(view.usage).toMatchObject({ input_tokens: 250, context_tokens: 500, context_window: 8000, cost_usd: null });
  });
});

describe("C1: endings", () => {
  it.each([
    ["stop", "completed"],
    ["length", "completed"],
    ["tool_limit_reached", "tool_limit_reached"],
    ["no_response", "no_response"],
  ] as const)("finish %s is %s", (finish, state) => {
    expect(foldBodies(say.done(finish))).toMatchObject({ status: "completed", terminal_state: state, controls: [], ended_at: 1001 });
  });

  it("an error that ends the run is its view's error and its last part", () => {
    const view = foldBodies(say.token("par"), say.failed("provider_auth"));
    expect(view).toMatchObject({ status: "failed", terminal_state: "failed", error: { code: "provider_auth", retryable: true } });
    expect(view.parts.at(-1)).toEqual({ type: "error", code: "provider_auth", message: "It did not work." });
  });

  it.each([
    ["runtime_interrupted", {}, "failed", "interrupted"],
    ["context_overflow", { terminal_state: "compression_exhausted" }, "failed", "compression_exhausted"],
    ["internal", { terminal_state: "expired" }, "expired", "expired"],
    ["internal", { terminal_state: "completed" }, "failed", "failed"],
    ["internal", { terminal_state: 7 }, "failed", "failed"],
  ] as const)("%s with %j ends as %s, %s", (code, diagnostics, status, state) => {
    expect(foldBodies(say.failed(code, diagnostics))).toMatchObject({ status, terminal_state: state });
  });

  it("an error that does not end the run is a part, no more", () => {
    const view = fold(say.story([say.failed("provider_overloaded"), say.token("x")]));
    expect(view).toMatchObject({ status: "running", error: null });
  });

  it("B063: a cancelled run shows nothing open", () => {
    const view = foldBodies(say.reasoning("hm"), say.requested(["call_1"]), say.approvalRequested("apr_1", "call_1"), say.cancelled());
    expect(view).toMatchObject({ status: "cancelled", cancelled: { reason: "user", processes: 1, survivors: 0 } });
    expect(openCalls(view)).toEqual([]);
    expect(openPrompts(view)).toEqual([]);
    expect(parts(view, "reasoning")[0]?.done).toBe(true);
  });

  it("B018: an unknown type is passed over, and settles the run when it is terminal", () => {
    const view = foldBodies(say.requested(["call_1"]));
    const passed = foldRun(view, say.unknownEvent(3, false));
    expect(passed).toEqual({ ...view, last_seq: 3 });
    expect(passed.parts).toBe(view.parts);
    expect(foldRun(passed, say.unknownEvent(4, true))).toMatchObject({ status: "completed", terminal_state: "completed", result: null, ended_at: 1004 });
  });

  it("nothing changes a run that has ended", () => {
    const view = foldBodies(say.done());
    const [, , late] = say.story([say.done(), say.token("late")]);
    expect(foldRun(view, late ?? expect.unreachable())).toEqual({ ...view, last_seq: 3 });
  });
});

describe("C2: what was seen is the same reference", () => {
  it("for an event at or below last_seq, and for one of another run (B001)", () => {
    const events = say.story([say.token("a"), say.token("b")]);
    const view = fold(events);
    for (const event of events) expect(foldRun(view, event)).toBe(view);
    const other = say.story([say.token("a"), say.token("b"), say.token("c")], { runId: "run_2" });
    for (const event of other) expect(foldRun(view, event)).toBe(view);
  });

  it("keeps the reference of parts that an event does not touch", () => {
    const events = say.story([say.token("a", "seg_1"), say.requested(["call_1"]), say.token("b", "seg_2"), say.token("c", "seg_2")]);
    const before = fold(events.slice(0, 4));
    const after = foldRun(before, events[4] ?? expect.unreachable());
    expect(after.parts[0]).toBe(before.parts[0]);
    expect(after.parts[1]).toBe(before.parts[1]);
    expect(after.parts[2]).not.toBe(before.parts[2]);
    expect(after.message).toBe(before.message);
  });

  it("tells a gap from what is next and what is known", () => {
    const view = foldBodies(say.token("a"));
    expect([1, 2, 3, 4].map((seq) => isNext(view, { seq }))).toEqual([true, true, true, false]);
    expect([1, 2].map((seq) => isNext(null, { seq }))).toEqual([true, false]);
  });
});

describe("cost", () => {
  const DELTAS = 100_000;

  it("100,000 deltas, one at a time, behind 300 parts, cost seconds of work at most, on any machine", () => {
    const opening = Array.from({ length: 300 }, (_, index) => say.token("x", `seg_${index}`));
    const events = say.story([...opening, ...Array.from({ length: DELTAS }, () => say.token("word ", "seg_live"))]);
    const begun = process.cpuUsage();
    const view = fold(events);
    const spent = process.cpuUsage(begun);
    expect(view.parts.at(-1)).toMatchObject({ text: "word ".repeat(DELTAS) });
    expect(foldRunAll(null, events)).toEqual(view);
    expect((spent.user + spent.system) / 1e6).toBeLessThan(5);
  });
});

it("refuses a story without its beginning", () => {
  const [, second] = say.story([say.token("a")]);
  expect(() => foldRun(null, second ?? expect.unreachable())).toThrow("begins with run.started");
  expect(() => foldRunAll(null, [])).toThrow("first event");
});
