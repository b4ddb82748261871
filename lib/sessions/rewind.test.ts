import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { done, status, token } from "#fold/run-story.fixture";
import { openSession } from "./open-session";
import { restoreRuns, undoRuns } from "./rewind";
import { readSummary } from "./session-summary";
import { openTestRoom, type TestRoom } from "./sessions.fixture";

let bench: TestRoom;
let session: string;
beforeEach(async () => {
  bench = await openTestRoom();
  session = await bench.session("Talk");
});
afterEach(() => bench.close());

const turn = (text: string): Promise<string> => bench.run(session, [token(`answer to ${text}`), done()], { text });
async function transcript(): Promise<readonly string[]> {
  const { runs } = await openSession(bench.room, { sessionId: session, runs: 50, before: null });
  return runs.map((run) => run.run_id);
}

describe("undo and restore", () => {
  test("B259: an undone turn is out of the transcript and the list's preview, and restore brings each undo back in turn", async () => {
    const [one, two, three] = [await turn("one"), await turn("two"), await turn("three")];
    await undoRuns(bench.room, session, 1);
    await undoRuns(bench.room, session, 1);
    expect(await transcript()).toEqual([one]);
    expect((await readSummary(bench.room, session)).preview).toBe("one");
    const log = await bench.journal.readSessionLog(session);
    expect(log.map((event) => [event.type, event.payload])).toEqual([
      ["session.rewound", { run_ids: [three], reason: "undo" }],
      ["session.rewound", { run_ids: [two], reason: "undo" }],
    ]);

    expect((await restoreRuns(bench.room, session)).run_ids).toEqual([two]);
    expect((await restoreRuns(bench.room, session)).run_ids).toEqual([three]);
    expect(await transcript()).toEqual([one, two, three]);
    expect((await readSummary(bench.room, session)).preview).toBe("three");
    await expect(restoreRuns(bench.room, session)).rejects.toMatchObject({ code: "conflict" });
  });

  test("a count above what is there takes all; then there is nothing to undo", async () => {
    const runs = [await turn("one"), await turn("two")];
    expect((await undoRuns(bench.room, session, 99)).run_ids).toEqual([...runs].reverse());
    await expect(undoRuns(bench.room, session, 1)).rejects.toMatchObject({ code: "conflict" });
    await restoreRuns(bench.room, session);
    expect(await transcript()).toEqual(runs);
  });

  test("a turn that ran since closes the way back", async () => {
    await turn("one");
    await turn("two");
    await undoRuns(bench.room, session, 1);
    const instead = await turn("instead");
    await expect(restoreRuns(bench.room, session)).rejects.toMatchObject({ code: "conflict" });
    // The later one may itself be undone and brought back, the earlier one still not.
    await undoRuns(bench.room, session, 1);
    expect((await restoreRuns(bench.room, session)).run_ids).toEqual([instead]);
    await expect(restoreRuns(bench.room, session)).rejects.toMatchObject({ code: "conflict" });
  });

  test("a compression is a border", async () => {
    await turn("one");
    await bench.run(session, [done()], { text: null, source: "compress" });
    await expect(undoRuns(bench.room, session, 1)).rejects.toMatchObject({ code: "conflict" });
    const after = await turn("after");
    expect((await undoRuns(bench.room, session, 5)).run_ids).toEqual([after]);
  });

  test("nothing is undone while a run is active", async () => {
    await turn("one");
    const active = await bench.run(session, [status("running")]);
    await expect(undoRuns(bench.room, session, 1)).rejects.toMatchObject({ code: "run_active", details: { active_stream_id: active } });
    expect(await transcript()).toHaveLength(2);
  });

  test("of two undos at one moment each turn is taken once", async () => {
    const runs = [await turn("one"), await turn("two"), await turn("three")];
    const results = await Promise.allSettled([undoRuns(bench.room, session, 1), undoRuns(bench.room, session, 1)]);
    const taken = results.flatMap((result) => (result.status === "fulfilled" ? result.value.run_ids : []));
    expect(new Set(taken).size).toBe(taken.length);
    expect(await transcript()).toEqual(runs.slice(0, runs.length - taken.length));
  });
});
