import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkModelMessages } from "#fold/check-model-messages.fixture";
import { toModelMessages } from "#fold/model-messages";
import { approvalRequested, cancelled, compressed, done, requested, status, token, toolDone, toolStarted } from "#fold/run-story.fixture";
import type { RunView } from "#protocol/run-view";
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

/** All that a person reads of a run, part by part, without ids. */
function wordsOf(view: RunView): unknown {
  const parts = view.parts.map((part) => {
    if (part.type === "tool") return [part.type, part.name, part.arguments, part.status, part.stdout, part.result];
    return [part.type, "text" in part ? part.text : null];
  });
  return [view.message?.text ?? null, parts];
}

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
        expect(original === undefined ? null : wordsOf(run)).toEqual(original === undefined ? undefined : wordsOf(original));
        expect(run.run_id).not.toBe(original?.run_id);
        expect(run.session_id).toBe(made.session_id);
        expect(run.message?.id).not.toBe(original?.message?.id);
      }
      expect(JSON.stringify(copy.runs)).not.toContain(session);
    }
  });

  test("of a long session with a compression, stopped and queued turns says the same at each place, in words that a strict provider takes (B257)", async () => {
    const runs: string[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      const call = `call_${turn}`;
      const text = turn === 20 ? null : `question ${turn}`;
      const bodies = [requested([call]), toolStarted(call), ...(turn % 6 === 5 ? [token(`half ${turn}`), cancelled()] : [toolDone(call, `result ${turn}`), token(`answer ${turn}`), done()])];
      const summed = [compressed("They spoke of kites.", runs.slice(1, 17)), done()];
      runs.push(await bench.run(session, turn === 20 ? summed : bodies, { text, source: turn === 20 ? "compress" : turn % 4 === 3 ? "queue" : "webui" }));
    }
    const source = (await openSession(bench.room, { sessionId: session, runs: 50, before: null })).runs;
    const told = (views: readonly RunView[]): unknown => toModelMessages(views, { system: null, images: false }).map((message) => [message.role, message.content]);
    for (const [index, runId] of runs.entries()) {
      const made = await branchSession(bench.room, noAttachments, { sessionId: session, runId, title: null });
      const copy = (await open(made.session_id)).runs;
      expect(copy.map(wordsOf)).toEqual(source.slice(0, index + 1).map(wordsOf));
      expect(copy.map((view) => [view.source, view.terminal_state])).toEqual(source.slice(0, index + 1).map((view) => [view.source, view.terminal_state]));
      expect(told(copy)).toEqual(told(source.slice(0, index + 1)));
      expect(checkModelMessages(toModelMessages(copy, { system: null, images: false }))).toEqual([]);
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
