import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { done, failed, requested, status, token, toolDone, toolStarted } from "#fold/run-story.fixture";
import { exportJson } from "./export-session";
import { importSession } from "./import-session";
import { openSession } from "./open-session";
import { restoreRuns, undoRuns } from "./rewind";
import { openTestRoom, TEST_SECRETS, type TestRoom } from "./sessions.fixture";

let bench: TestRoom;
let session: string;
beforeEach(async () => {
  bench = await openTestRoom();
  session = await bench.session("Kites");
});
afterEach(() => bench.close());

async function exported(sessionId: string): Promise<Exported> {
  let text = "";
  for await (const piece of await exportJson(bench.room, sessionId)) text += piece;
  return JSON.parse(text);
}

interface Exported {
  format: string;
  version: number;
  session: Record<string, unknown>;
  runs: { run_id: string; events: Record<string, unknown>[] }[];
  log: Record<string, unknown>[];
}

async function tell(): Promise<void> {
  await bench.run(session, [token("a1"), done()], { text: "q1" });
  await bench.run(session, [requested(["call_1"]), toolStarted("call_1"), toolDone("call_1"), token("a2"), done()], { text: "q2" });
  await bench.run(session, [token("half"), failed("provider_incomplete")], { text: "q3" });
}

const open = (sessionId: string) => openSession(bench.room, { sessionId, runs: 50, before: null });
const rows = async (): Promise<readonly number[]> => {
  const tables = ["sessions", "runs", "events", "run_views", "run_view_parts", "search_rows"];
  const results = await bench.database.read(tables.map((table) => `SELECT COUNT(*) AS count FROM ${table}`));
  return results.map((result) => Number(result.rows[0]?.["count"]));
};

describe("export and import", () => {
  test("a session comes back whole under new ids, what was undone stays undone and can be restored", async () => {
    await tell();
    await undoRuns(bench.room, session, 1);
    const file = await exported(session);
    expect(file).toMatchObject({ format: "hermes-session", version: 1, runs: [{}, {}, {}], log: [{ type: "session.rewound" }] });

    const made = await importSession(bench.room, bench.defaults, file);
    const [source, copy] = [await open(session), await open(made.session_id)];
    expect(made).toMatchObject({ title: "Kites", profile: "default", preview: "q2" });
    expect(copy.runs.map((run) => run.message?.text)).toEqual(["q1", "q2"]);
    expect(copy.runs.map((run) => run.parts.length)).toEqual(source.runs.map((run) => run.parts.length));
    const again = JSON.stringify(await exported(made.session_id));
    for (const run of file.runs) expect(again).not.toContain(run.run_id);
    expect(again).not.toContain(session);
    await restoreRuns(bench.room, made.session_id);
    expect((await open(made.session_id)).runs.map((run) => run.message?.text)).toEqual(["q1", "q2", "q3"]);
  });

  test("a run that has not ended is left out of the file", async () => {
    await tell();
    await bench.run(session, [token("still")]);
    const file = await exported(session);
    expect(file.runs).toHaveLength(3);
    await expect(importSession(bench.room, bench.defaults, file)).resolves.toMatchObject({ status: "idle" });
  });

  test("an import starts nothing: what was queued and the goal are put aside", async () => {
    await tell();
    await bench.journal.transact([
      ...bench.journal.sessionLogStatements(session, { type: "queue.updated", payload: { items: [{ queue_id: "que_1", text: "later", mode: "queue", created_at: 1 }] } }),
      ...bench.journal.sessionLogStatements(session, { type: "goal.updated", payload: { goal: "win", status: "active", turns_used: 1, max_turns: 20 } }),
    ]);
    const made = await importSession(bench.room, bench.defaults, await exported(session));
    const log = await bench.journal.readSessionLog(made.session_id);
    expect(log.map((event) => [event.seq, event.type])).toEqual([
      [1, "queue.updated"],
      [2, "goal.updated"],
      [3, "queue.updated"],
      [4, "goal.updated"],
    ]);
    expect(log.at(-2)?.payload).toEqual({ items: [] });
    expect(log.at(-1)?.payload).toMatchObject({ status: "cleared" });
    expect(await open(made.session_id)).toMatchObject({ queue: [], goal: null });
  });

  test("J6: secrets of a file are not stored, also where deltas part them, in calls, titles, goals or keys", async () => {
    const [secret] = TEST_SECRETS;
    const shaped = `sk-${"a1B2".repeat(12)}`;
    const call = requested(["call_1"]);
    await bench.run(
      session,
      [
        token(`the key ${secret?.slice(0, 7)}`),
        token(`${secret?.slice(7)} is told, and ${shaped.slice(0, 9)}`),
        token(shaped.slice(9)),
        call.type === "tool.requested" ? { ...call, payload: { ...call.payload, calls: call.payload.calls.map((each) => ({ ...each, arguments: { [secret ?? ""]: shaped } })) } } : call,
        toolStarted("call_1"),
        { type: "tool.updated", payload: { tool_call_id: "call_1", stdout: `a ${secret?.slice(0, 9)}` } },
        { type: "tool.updated", payload: { tool_call_id: "call_1", stdout: `${secret?.slice(9)} b` } },
        toolDone("call_1"),
        done(),
      ],
      { text: `keep ${secret}` },
    );
    await bench.journal.transact(bench.journal.sessionLogStatements(session, { type: "goal.updated", payload: { goal: `use ${secret}`, status: "active", turns_used: 1, max_turns: 20 } }));
    const file = await exported(session);
    expect(JSON.stringify(file)).toContain(secret);
    const made = await importSession(bench.room, bench.defaults, { ...file, session: { ...file.session, title: `Kite ${secret}`, model: shaped } });
    const copy = await exported(made.session_id);
    const stored = await bench.database.read(["SELECT group_concat(envelope) AS text FROM events WHERE session_id = ?", "SELECT group_concat(request) AS text FROM runs WHERE session_id = ?"].map((sql) => ({ sql, args: [made.session_id] })));
    for (const text of [JSON.stringify(copy), JSON.stringify(await open(made.session_id)), ...stored.map((result) => String(result.rows[0]?.["text"]))]) {
      for (const part of [secret, shaped, secret?.slice(7), shaped.slice(9)]) expect(text).not.toContain(part);
    }
    const [run] = (await open(made.session_id)).runs;
    expect(run?.message?.text).toBe("keep [redacted]");
    expect(run?.parts).toMatchObject([
      { type: "text", text: "the key [redacted] is told, and [redacted]" },
      { type: "tool", stdout: "a [redacted] b" },
    ]);
    expect(copy.runs[0]?.events.find((event) => event["type"] === "tool.requested")).toMatchObject({ payload: { calls: [{ arguments: { "[redacted]": "[redacted]" }, redacted: true }] } });
    expect(made.title).toBe("Kite [redacted]");
    expect(copy.runs[0]?.events).toHaveLength(file.runs[0]?.events.length ?? 0);
    // What is stored is a lawful story again.
    await expect(importSession(bench.room, bench.defaults, copy)).resolves.toMatchObject({ title: "Kite [redacted]" });
  });

  const spoil: Readonly<Record<string, (file: Exported) => unknown>> = {
    "no object": () => [],
    "another format": (file) => ({ ...file, format: "other" }),
    "a later version": (file) => ({ ...file, version: 2 }),
    "no runs": ({ runs: _runs, ...file }) => file,
    "a run without events": (file) => ({ ...file, runs: [{ ...file.runs[0], events: [] }] }),
    "a gap": (file) => changeRun(file, 1, (events) => events.filter((_event, index) => index !== 2)),
    "no end": (file) => changeRun(file, 1, (events) => events.slice(0, -1)),
    "events after the end": (file) => changeRun(file, 0, (events) => [...events, { ...events[1], seq: 4, event_id: `${file.runs[0]?.run_id}:4` }]),
    "an event of another run": (file) => changeRun(file, 0, (events) => events.map((event, index) => (index === 1 ? { ...event, run_id: "run_x" } : event))),
    "a call that is never settled": (file) => changeRun(file, 1, (events) => events.map((event) => (event["type"] === "tool.done" ? { ...event, type: "token.delta", payload: tokenBody } : event))),
    "a call that is settled twice": (file) => changeRun(file, 1, (events) => events.map((event, index) => (index === 4 ? { ...events[3], seq: 5, event_id: event["event_id"] } : event))),
    "a second start": (file) => changeRun(file, 0, (events) => events.map((event, index) => (index === 1 ? { ...events[0], seq: 2, event_id: event["event_id"] } : event))),
    "a move that cannot be": (file) => changeRun(file, 0, (events) => events.map((event, index) => (index === 1 ? { ...event, type: "status", payload: { status: "completed", controls: [] } } : event))),
    "a terminal flag on a word": (file) => changeRun(file, 0, (events) => events.map((event, index) => (index === 1 ? { ...event, terminal: true } : event))),
    "a type that is not known": (file) => changeRun(file, 0, (events) => events.map((event, index) => (index === 1 ? { ...event, type: "future.thing" } : event))),
    "the same run twice": (file) => ({ ...file, runs: [...file.runs, file.runs[0]] }),
    "a log with a gap": (file) => ({ ...file, log: file.log.map((event) => ({ ...event, seq: 2 })) }),
    "a log that rewinds what is not there": (file) => ({ ...file, log: file.log.map((event) => ({ ...event, payload: { run_ids: ["run_gone"], reason: "undo" } })) }),
    "a log that deletes": (file) => ({ ...file, log: file.log.map((event) => ({ ...event, type: "session.deleted", payload: {} })) }),
    "a time to come": (file) => changeRun(file, 0, (events) => events.map((event) => ({ ...event, created_at: 1e15 }))),
    "a time that cannot be": (file) => changeRun(file, 0, (events) => events.map((event) => ({ ...event, created_at: "1" }))),
  };
  const tokenBody = { message_id: "msg_a", segment_id: "seg_1", delta: "x", content_type: "text/markdown" };

  function changeRun(file: Exported, index: number, change: (events: Record<string, unknown>[]) => Record<string, unknown>[]): Exported {
    return { ...file, runs: file.runs.map((run, place) => (place === index ? { ...run, events: change(run.events) } : run)) };
  }

  test.each(Object.keys(spoil))("%s is refused and leaves nothing", async (kind) => {
    await tell();
    await undoRuns(bench.room, session, 1);
    const file = await exported(session);
    const before = await rows();
    await expect(importSession(bench.room, bench.defaults, spoil[kind]?.(file))).rejects.toMatchObject({ code: "invalid_request" });
    expect(await rows()).toEqual(before);
  });
});

test("a run that waits is no story that has ended", async () => {
  await bench.run(session, [status("running")]);
  expect((await exported(session)).runs).toEqual([]);
});
