import { describe, expect, it } from "vitest";
import type { AnyEvent, JournalEvent, SessionEventBody } from "#protocol/events";
import { firstGap, foldSession, foldSessionAll, holdsEvent } from "./fold-session";
import * as say from "./run-story.fixture";
import { logEvent, opened, openedAfter, queued, rewound, titled } from "./session-story.fixture";
import { openSessionView, withOlderRuns, type SessionView } from "./session-view";
import { turnsOf } from "./transcript";

const EMPTY = openSessionView(opened("ses_1"));

function logOf(bodies: readonly SessionEventBody[]): readonly JournalEvent[] {
  return bodies.map((body, index) => logEvent(index + 1, body));
}

function fold(events: readonly AnyEvent[], state: SessionView = EMPTY): SessionView {
  return events.reduce(foldSession, state);
}

const RUN_1 = say.story([say.token("one"), say.done()], { runId: "run_1", at: 1000 });
const RUN_2 = say.story([say.token("two"), say.done()], { runId: "run_2", at: 1100 });

describe("C1: a session's view is the fold of its stream", () => {
  it("carries title, settings, queue and goal", () => {
    const state = fold(
      logOf([
        titled("Red kite"),
        { type: "session.updated", payload: { model: "m2", pinned: true, project_id: "prj_1" } },
        { type: "session.updated", payload: { project_id: null, yolo: true } },
        queued("next", "then"),
        { type: "goal.updated", payload: { goal: "Ship", status: "active", turns_used: 1, max_turns: 20, verdict: "continue", reason: "more" } },
        { type: "goal.updated", payload: { goal: "Ship", status: "paused", turns_used: 1, max_turns: 20 } },
      ]),
    );
    expect(state.session).toMatchObject({ title: "Red kite", model: "m2", pinned: true, project_id: null, yolo: true, workspace: "/w" });
    expect(state.queue.map((item) => item.text)).toEqual(["next", "then"]);
    expect(state.goal).toEqual({ goal: "Ship", status: "paused", turns_used: 1, max_turns: 20, last_verdict: "continue", last_reason: "more" });
    expect(state.cursor).toBe("ses_1:6");
    expect(fold([logEvent(7, { type: "goal.updated", payload: { goal: "Ship", status: "cleared", turns_used: 1, max_turns: 20 } })], state).goal).toBeNull();
    expect(fold([logEvent(7, { type: "session.deleted", payload: {} })], state).deleted).toBe(true);
  });

  it("takes runs in as they begin, in order", () => {
    const state = fold([...RUN_1, ...RUN_2]);
    expect(state.runs.map((run) => [run.run_id, run.status])).toEqual([
      ["run_1", "completed"],
      ["run_2", "completed"],
    ]);
    expect(state.cursor).toBe("run_2:3");
  });

  it("hides what was rewound and brings it back in its place", () => {
    const state = fold([...RUN_1, ...RUN_2, logEvent(1, rewound(["run_1"], "undo"))]);
    expect(turnsOf(state).map((turn) => turn.run.run_id)).toEqual(["run_2"]);
    const restored = fold([logEvent(2, rewound(["run_1"], "restore"))], state);
    expect(turnsOf(restored).map((turn) => turn.run.run_id)).toEqual(["run_1", "run_2"]);
    expect(restored.missing_runs).toEqual([]);
  });

  it("says which restored runs it does not hold", () => {
    const state = fold([logEvent(1, rewound(["run_0"], "restore"))]);
    expect(state.missing_runs).toEqual(["run_0"]);
  });

  it("passes over events of types and sessions that it does not know", () => {
    const unknown: AnyEvent = { event_id: "ses_1:1", seq: 1, run_id: null, session_id: "ses_1", created_at: 1, terminal: false, type: "future.fact", payload: {} };
    expect(foldSession(EMPTY, unknown)).toEqual({ ...EMPTY, log_seq: 1, cursor: "ses_1:1" });
    expect(foldSession(EMPTY, logEvent(1, titled("x"), "ses_2"))).toBe(EMPTY);
  });
});

describe("C2: what was seen is the same reference", () => {
  it("for every event that the view holds", () => {
    const events = [...RUN_1, logEvent(1, titled("a")), ...RUN_2, logEvent(2, queued("x"))];
    const state = fold(events);
    for (const event of events) expect(foldSession(state, event)).toBe(state);
    expect(foldSessionAll(state, events)).toBe(state);
  });

  it("for the runs that an event does not touch", () => {
    const state = fold(RUN_1);
    const after = fold([...RUN_2, logEvent(1, titled("a"))], state);
    expect(after.runs[0]).toBe(state.runs[0]);
    expect(after.queue).toBe(state.queue);
  });
});

describe("C3: gaps are told, never guessed", () => {
  it("in a run, in a run that was never seen, and in the log", () => {
    const state = fold([...RUN_1.slice(0, 1), logEvent(1, titled("a"))]);
    expect(firstGap(state, RUN_1)).toBe(-1);
    expect(firstGap(state, RUN_1.slice(2))).toBe(0);
    expect(firstGap(state, [...RUN_1, ...RUN_2.slice(1)])).toBe(3);
    expect(firstGap(state, [logEvent(1, titled("b")), logEvent(2, titled("b")), logEvent(4, titled("b"))])).toBe(2);
    expect(firstGap(EMPTY, [logEvent(7, titled("the first that is seen"))])).toBe(-1);
    expect(firstGap(state, [logEvent(9, titled("of another session"), "ses_2")])).toBe(-1);
  });

  it("and what a view holds is known from its seqs alone", () => {
    const state = fold([...RUN_1, logEvent(1, titled("a"))]);
    const held = [null, "run_1:1", "run_1:3", "ses_1:1"].map((cursor) => holdsEvent(state, cursor));
    expect(held).toEqual([true, true, true, true]);
    const missed = ["run_1:4", "run_2:1", "ses_1:2", "nonsense"].map((cursor) => holdsEvent(state, cursor));
    expect(missed).toEqual([false, false, false, false]);
    expect(holdsEvent(openSessionView(openedAfter("ses_1", RUN_1)), "ses_1:1")).toBe(false);
  });
});

describe("opening anew", () => {
  it("keeps what did not change, never goes back, and keeps older pages", () => {
    const older = openSessionView(openedAfter("ses_1", RUN_1)).runs;
    const events = [...RUN_1, ...RUN_2];
    const state = withOlderRuns(openSessionView(openedAfter("ses_1", events, 1)), older, false);
    expect(state.runs.map((run) => run.run_id)).toEqual(["run_1", "run_2"]);
    expect(withOlderRuns(state, older, false).runs).toHaveLength(2);
    const again = openSessionView(openedAfter("ses_1", events.slice(0, -1), 1), state);
    expect(again.runs[1]).toBe(state.runs[1]);
    expect(again.runs).toHaveLength(2);
    expect(again.has_more).toBe(false);
    const newer = openSessionView(openedAfter("ses_1", [...events, logEvent(1, rewound(["run_1"], "undo"))], 1), state);
    expect(newer).toMatchObject({ log_seq: 1, cursor: "ses_1:1" });
  });
});
