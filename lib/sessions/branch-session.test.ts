import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { approvalRequested, done, requested, status, token, toolDone, toolStarted } from "#fold/run-story.fixture";
import { branchSession } from "./branch-session";
import { openSession } from "./open-session";
import { undoRuns } from "./rewind";
import { searchSessions } from "./search-sessions";
import { openTestRoom, type TestRoom } from "./sessions.fixture";

let bench: TestRoom;
let session: string;
beforeEach(async () => {
  bench = await openTestRoom();
  session = await bench.session("Kites");
});
afterEach(() => bench.close());

const noAttachments = (): Promise<void> => Promise.resolve();
const open = (sessionId: string) => openSession(bench.room, { sessionId, runs: 50, before: null });

async function tellFive(): Promise<readonly string[]> {
  return [
    await bench.run(session, [token("a1"), done()], { text: "q1" }),
    await bench.run(session, [requested(["call_1"]), toolStarted("call_1"), toolDone("call_1", "run_id call_1"), token("a2"), done()], { text: "q2" }),
    await bench.run(session, [token("a3"), done()], { text: "q3" }),
  ];
}

describe("a branch", () => {
  test("B257: holds the same text up to the chosen run, under ids of its own throughout", async () => {
    const runs = await tellFive();
    for (const [index, runId] of runs.entries()) {
      const made = await branchSession(bench.room, noAttachments, { sessionId: session, runId, title: null });
      const [source, copy] = [await open(session), await open(made.session_id)];
      expect(copy.runs).toHaveLength(index + 1);
      expect(made).toMatchObject({ title: "Kites (branch)", parent_session_id: session, preview: expect.any(String) });
      for (const [place, run] of copy.runs.entries()) {
        const original = source.runs[place];
        expect(run.message?.text).toBe(original?.message?.text);
        expect(run.parts.map((part) => part.type)).toEqual(original?.parts.map((part) => part.type));
        expect(run.run_id).not.toBe(original?.run_id);
        expect(run.session_id).toBe(made.session_id);
        expect(run.message?.id).not.toBe(original?.message?.id);
      }
      expect(JSON.stringify(copy.runs)).not.toContain(session);
    }
  });

  test("its calls keep their pairs, and words that look like ids stay words", async () => {
    const [, second = ""] = await tellFive();
    const made = await branchSession(bench.room, noAttachments, { sessionId: session, runId: second, title: "Elsewhere" });
    const copied = (await open(made.session_id)).runs[1];
    const tool = copied?.parts.find((part) => part.type === "tool");
    expect(tool).toMatchObject({ status: "ok", result: "run_id call_1", name: "terminal" });
    const events = await bench.journal.readRunEvents(copied?.run_id ?? "", 0, 100);
    expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(events.every((event) => event.event_id === `${copied?.run_id}:${event.seq}`)).toBe(true);
  });

  test("what was undone does not come along, and the copy lives without its parent", async () => {
    await tellFive();
    await undoRuns(bench.room, session, 1);
    const made = await branchSession(bench.room, noAttachments, { sessionId: session, runId: null, title: null });
    await bench.journal.transact(bench.journal.deleteSessionStatements(session));
    expect((await open(made.session_id)).runs.map((run) => run.message?.text)).toEqual(["q1", "q2"]);
    expect((await searchSessions(bench.room, "a1")).map((result) => result.session_id)).toEqual([made.session_id]);
  });

  test("uploads are asked for under the ids that the copy names", async () => {
    const runs = await tellFive();
    await bench.database.execute({
      sql: `UPDATE events SET envelope = json_set(envelope, '$.payload.message.attachments', json(?)) WHERE run_id = ? AND seq = 1`,
      args: [JSON.stringify([{ attachment_id: "att_1", name: "kite.png", mime: "image/png", size: 3, is_image: true }]), runs[0] ?? ""],
    });
    const copied: string[][] = [];
    const copy = (original: string, id: string, sessionId: string): Promise<void> => {
      copied.push([original, id, sessionId]);
      return Promise.resolve();
    };
    const made = await branchSession(bench.room, copy, { sessionId: session, runId: null, title: null });
    const [run] = (await open(made.session_id)).runs;
    expect(copied).toEqual([["att_1", run?.message?.attachments[0]?.attachment_id, made.session_id]]);
    expect(copied[0]?.[1]).not.toBe("att_1");
  });

  test("is refused while a run is active, for a foreign run and for one that was undone", async () => {
    const runs = await tellFive();
    const foreign = await bench.run(await bench.session("Other"), [done()]);
    await undoRuns(bench.room, session, 1);
    for (const runId of [foreign, runs[2] ?? "", "run_none"]) {
      await expect(branchSession(bench.room, noAttachments, { sessionId: session, runId, title: null })).rejects.toMatchObject({ code: "run_not_found" });
    }
    await bench.run(session, [requested(["call_5"]), approvalRequested("apr_5", "call_5"), status("awaiting_approval")]);
    await expect(branchSession(bench.room, noAttachments, { sessionId: session, runId: null, title: null })).rejects.toMatchObject({ code: "run_active" });
  });
});
