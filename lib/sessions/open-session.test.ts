import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { foldRunAll } from "#fold/fold-run";
import { approvalRequested, done, requested, status, token, toolDone, toolStarted } from "#fold/run-story.fixture";
import { openSession } from "./open-session";
import { openTestRoom, type TestRoom } from "./sessions.fixture";

let bench: TestRoom;
beforeEach(async () => {
  bench = await openTestRoom();
});
afterEach(() => bench.close());

describe("an opened session", () => {
  test("C1: its views are the fold of the events up to its cursor, oldest run first", async () => {
    const session = await bench.session("Talk");
    const first = await bench.run(session, [token("one "), token("two"), done()], { text: "first" });
    const second = await bench.run(session, [requested(["call_1"]), toolStarted("call_1"), toolDone("call_1"), token("after"), done()], { text: "second" });
    const opened = await openSession(bench.room, { sessionId: session, runs: 20, before: null });

    expect(opened.runs.map((run) => run.run_id)).toEqual([first, second]);
    for (const run of opened.runs) {
      const events = await bench.journal.readRunEvents(run.run_id, 0, 100);
      expect(run).toEqual(foldRunAll(null, events));
    }
    expect(opened.cursor).toBe(`${second}:${opened.runs[1]?.last_seq}`);
    expect(opened).toMatchObject({ has_more: false, active_run_id: null, queue: [], goal: null });
  });

  test("pages backwards, and names the pending prompt of the active run on every page", async () => {
    const session = await bench.session("Long");
    const runs: string[] = [];
    for (let number = 0; number < 5; number += 1) runs.push(await bench.run(session, [token(`${number}`), done()]));
    const waiting = await bench.run(session, [requested(["call_9"]), approvalRequested("apr_9", "call_9"), status("awaiting_approval")]);

    const newest = await openSession(bench.room, { sessionId: session, runs: 2, before: null });
    expect(newest.runs.map((run) => run.run_id)).toEqual([runs[4], waiting]);
    expect(newest).toMatchObject({ has_more: true, active_run_id: waiting, pending: { approval: { approval_id: "apr_9", run_id: waiting }, clarify: null } });

    const older = await openSession(bench.room, { sessionId: session, runs: 4, before: runs[4] ?? null });
    expect(older.runs.map((run) => run.run_id)).toEqual(runs.slice(0, 4));
    expect(older).toMatchObject({ has_more: false, pending: { approval: { approval_id: "apr_9" } } });
  });

  test("a session without events has no cursor; what is not there is said so", async () => {
    const session = await bench.session("Empty");
    expect((await openSession(bench.room, { sessionId: session, runs: 20, before: null })).cursor).toBeNull();
    const foreign = await bench.run(await bench.session("Other"), [done()]);
    await expect(openSession(bench.room, { sessionId: session, runs: 20, before: foreign })).rejects.toMatchObject({ code: "run_not_found" });
    await expect(openSession(bench.room, { sessionId: "ses_none", runs: 20, before: null })).rejects.toMatchObject({ code: "session_not_found" });
  });
});
