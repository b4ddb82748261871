import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { constraintOf } from "#db/database-error";
import { collectIds, done, EPOCH, framesOf, idsUpTo, makeSession, openWorkbench, reasoning, runRow, startRun, started, TestWriter, token, type Workbench } from "./journal.fixture";
import { LeaseLostError } from "./journal";

let bench: Workbench;
beforeEach(async () => {
  bench = await openWorkbench();
});
afterEach(() => bench.close());

describe("appending", () => {
  it("J1: a run's events are stored as 1…n, envelopes as they were, in one order for all runs", async () => {
    const first = await startRun(bench, "run_A", "ses_A");
    const second = await startRun(bench, "run_B", "ses_B");
    for (const text of ["a", "b\u0000\ud83d", "\ud83d\ude00 \u2028 \\ \"", "1e21"]) {
      first.emit(token(text));
      second.emit(reasoning(text), token(text));
      await Promise.all([bench.journal.enqueue(first), bench.journal.enqueue(second)]);
    }
    await bench.journal.enqueue(first.emit(done()));
    const rows = await bench.database.execute("SELECT envelope FROM events WHERE run_id = 'run_A' ORDER BY seq");
    expect(rows.rows.map((row) => row[0])).toEqual(first.all.map((event) => JSON.stringify(event)));
    const positions = await bench.database.execute("SELECT run_id, seq FROM events ORDER BY position");
    for (const run of ["run_A", "run_B"]) {
      const seqs = positions.rows.filter((row) => row[0] === run).map((row) => row[1]);
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    }
    expect(await bench.journal.readRunEvents("run_A", 2, 2)).toEqual(first.all.slice(2, 4));
  });

  it("J3: the database itself refuses an event after the terminal one, a gap, and a second number", async () => {
    const writer = await startRun(bench, "run_A", "ses_A");
    await bench.journal.enqueue(writer.emit(done()));
    const refused = async (seq: number): Promise<string | null> => {
      const sql = "INSERT INTO events (session_id, run_id, seq, type, terminal, envelope) VALUES ('ses_A', 'run_A', ?, 'progress', 0, '{}')";
      return bench.database.execute({ sql, args: [seq] }).then(() => null, constraintOf);
    };
    expect(await refused(3)).toBe("run_is_over_or_gap");
    expect(await refused(7)).toBe("run_is_over_or_gap");
    expect(await refused(2)).toBe("events.run_id, events.seq");
    await expect(bench.journal.enqueue(writer.emit(token("late")))).rejects.toThrow(/run_is_over/);
    expect((await bench.journal.readView("run_A"))?.last_seq).toBe(2);
  });

  it("J5: the run's row is the fold of its events after every commit", async () => {
    const writer = await startRun(bench, "run_A", "ses_A");
    const row = async (): Promise<unknown> => {
      const found = await bench.database.execute("SELECT status, last_seq, pending_approval_id, terminal_state, ended_at IS NULL AS open, position > 0 AS placed FROM runs");
      return { ...found.rows[0] };
    };
    expect(await row()).toEqual({ status: "running", last_seq: 1, pending_approval_id: null, terminal_state: null, open: 1, placed: 1 });
    writer.emit(
      { type: "tool.requested", payload: { message_id: "msg_2", calls: [{ tool_call_id: "call_1", name: "terminal", title: "rm", arguments: {} }] } },
      {
        type: "approval.requested",
        payload: { approval_id: "apr_1", tool_call_id: "call_1", summary: "rm", risk: { level: "high", reasons: [], pattern_keys: [] }, choices: ["once"], expires_at: null },
      },
      { type: "status", payload: { status: "awaiting_approval", controls: ["cancel"] } },
    );
    await bench.journal.enqueue(writer);
    expect(await row()).toEqual({ status: "awaiting_approval", last_seq: 4, pending_approval_id: "apr_1", terminal_state: null, open: 1, placed: 1 });
    writer.emit(
      { type: "approval.resolved", payload: { approval_id: "apr_1", choice: "deny", status: "denied", by: "person" } },
      { type: "status", payload: { status: "running", controls: ["cancel"] } },
    );
    await bench.journal.enqueue(writer);
    expect(await row()).toMatchObject({ status: "running", last_seq: 6, pending_approval_id: null });
    await bench.journal.enqueue(writer.emit(token("ok")));
    expect(await row()).toMatchObject({ status: "running", last_seq: 7 });
    await bench.journal.enqueue(writer.emit(done()));
    expect(await row()).toEqual({ status: "completed", last_seq: 8, pending_approval_id: null, terminal_state: "completed", open: 0, placed: 1 });
  });

  it("H1: an owner that was declared lost cannot commit, by tick or by transaction", async () => {
    const writer = await startRun(bench, "run_A", "ses_A");
    await bench.database.execute({ sql: "UPDATE owners SET lost_at = 1 WHERE epoch = ?", args: [EPOCH] });
    await expect(bench.journal.enqueue(writer.emit(token("late")))).rejects.toBeInstanceOf(LeaseLostError);
    await expect(bench.journal.transact(["SELECT 1"], { fenced: true })).rejects.toBeInstanceOf(LeaseLostError);
    await expect(bench.journal.transact(["SELECT 1"])).resolves.toHaveLength(1);
    const stranger = await bench.another(null);
    await expect(stranger.journal.enqueue(writer.emit(token("x")))).rejects.toBeInstanceOf(LeaseLostError);
    expect((await bench.database.execute("SELECT count(*) FROM events")).rows[0]?.[0]).toBe(1);
    expect((await bench.database.execute("SELECT count(*) FROM fence")).rows[0]?.[0]).toBe(0);
  });

  it("a run that is gone does not take the others of its tick along", async () => {
    const stays = await startRun(bench, "run_A", "ses_A");
    const goes = await startRun(bench, "run_B", "ses_B");
    await bench.journal.transact(bench.journal.deleteSessionStatements("ses_B"));
    const [kept, lost] = await Promise.allSettled([bench.journal.enqueue(stays.emit(token("x"))), bench.journal.enqueue(goes.emit(token("y")))]);
    expect(kept.status).toBe("fulfilled");
    expect(lost.status).toBe("rejected");
    expect((await bench.journal.readView("run_A"))?.last_seq).toBe(2);
  });

  it("two starts in one session: exactly one wins, and the other leaves nothing", async () => {
    await makeSession(bench.database, "ses_A");
    const start = (runId: string): Promise<unknown> => {
      const append = new TestWriter(runId, "ses_A").emit(started("hi")).take();
      if (append === null) throw new Error("nothing to append");
      return bench.journal.transact([runRow(runId, "ses_A"), ...bench.journal.runStatements(append)], { fenced: true });
    };
    const ends = await Promise.allSettled(["run_A", "run_B", "run_C"].map(start));
    expect(ends.map((end) => end.status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(ends.map((end) => (end.status === "rejected" ? constraintOf(end.reason) : null))).toEqual([null, "runs.session_id", "runs.session_id"]);
    expect((await bench.database.execute("SELECT count(*) FROM events")).rows[0]?.[0]).toBe(1);
  });
});

describe("a session's own log", () => {
  it("is numbered by the database, in one order with its runs, and read back as it was", async () => {
    const writer = await startRun(bench, "run_A", "ses_A");
    const title = (text: string) => bench.journal.sessionLogStatements("ses_A", { type: "title.updated", payload: { title: text, source: "user", confidence: 1 } });
    await Promise.all([bench.journal.transact(title("one \"q\" ü")), bench.journal.transact(title("two"))]);
    await bench.journal.enqueue(writer.emit(done()));
    const log = await bench.journal.readSessionLog("ses_A");
    expect(log.map((event) => [event.event_id, event.type])).toEqual([["ses_A:1", "title.updated"], ["ses_A:2", "title.updated"]]);
    expect(Object.keys(log[0] ?? {}).sort()).toEqual(["created_at", "event_id", "payload", "run_id", "seq", "session_id", "terminal", "type"]);
    expect(log[0]?.payload).toEqual({ title: "one \"q\" ü", source: "user", confidence: 1 });
    await bench.journal.transact(bench.journal.deleteSessionStatements("ses_A"));
    const left = await bench.database.execute("SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM runs) + (SELECT count(*) FROM run_views) + (SELECT count(*) FROM run_view_parts) + (SELECT count(*) FROM search_rows)");
    expect(left.rows[0]?.[0]).toBe(0);
  });
});

describe("tails", () => {
  it("a reader from the start and a reader from a cursor see what follows, then live, and end with the run", async () => {
    const writer = await startRun(bench, "run_A", "ses_A");
    await bench.journal.enqueue(writer.emit(token("a"), token("b")));
    const cursor = await bench.journal.resolveRunCursor("run_A", "run_A:2");
    expect(cursor?.kind).toBe("at");
    const signal = new AbortController().signal;
    const all = collectIds(bench.journal.tailRun("run_A", 0, signal));
    const rest = collectIds(bench.journal.tailRun("run_A", cursor?.kind === "at" ? cursor.position : 0, signal));
    for (let count = 0; count < 20; count += 1) await bench.journal.enqueue(writer.emit(token("c")));
    await bench.journal.enqueue(writer.emit(done()));
    expect(await all).toEqual(idsUpTo("run_A", 24));
    expect(await rest).toEqual(idsUpTo("run_A", 24, 3));
  });

  it("a session's tail carries runs and log in commit order and ends after session.deleted", async () => {
    const first = await startRun(bench, "run_A", "ses_A");
    const ids = collectIds(bench.journal.tailSession("ses_A", 0, new AbortController().signal));
    const orphan = collectIds(bench.journal.tailRun("run_A", 0, new AbortController().signal));
    await bench.journal.enqueue(first.emit(done()));
    await bench.journal.transact(bench.journal.sessionLogStatements("ses_A", { type: "queue.updated", payload: { items: [] } }));
    const second = await startRun(bench, "run_B", "ses_A");
    const live = collectIds(bench.journal.tailRun("run_B", 0, new AbortController().signal));
    await bench.journal.enqueue(second.emit(token("x")));
    await expect.poll(async () => (await bench.journal.readView("run_B"))?.last_seq).toBe(2);
    await bench.journal.transact(bench.journal.deleteSessionStatements("ses_A"));
    const seen = await ids;
    expect(seen.at(-1)).toBe("ses_A:2");
    expect(["run_A:1", "run_A:2", "ses_A:1", "run_B:1", "run_B:2", "ses_A:2"].join()).toContain(seen.slice(0, -1).join());
    expect(await orphan).toEqual(idsUpTo("run_A", 2));
    expect(await live).toEqual(idsUpTo("run_B", (await live).length));
  });

  it("what another process commits is seen, without a doorbell too", async () => {
    const writer = await startRun(bench, "run_A", "ses_A");
    const reader = await bench.another();
    const ids = collectIds(reader.journal.tailRun("run_A", 0, new AbortController().signal));
    for (let count = 0; count < 5; count += 1) await bench.journal.enqueue(writer.emit(token("c")));
    await bench.journal.enqueue(writer.emit(done()));
    expect(await ids).toEqual(idsUpTo("run_A", 7));
  });

  it("readers at the head share one text", async () => {
    const writer = await startRun(bench, "run_A", "ses_A");
    const stop = new AbortController();
    const tails = [1, 2, 3].map(() => bench.journal.tailRun("run_A", 0, stop.signal)[Symbol.asyncIterator]());
    const firsts = await Promise.all(tails.map((tail) => tail.next()));
    expect(new Set(firsts.map((first) => first.value?.bytes)).size).toBe(1);
    const next = tails.map((tail) => tail.next());
    await bench.journal.enqueue(writer.emit(token("x")));
    const seconds = await Promise.all(next);
    expect(new Set(seconds.map((second) => second.value?.bytes)).size).toBe(1);
    expect(framesOf(seconds[0]?.value ?? { text: "" }).map((frame) => frame.id)).toEqual(["run_A:2"]);
    stop.abort();
    for (const tail of tails) expect((await tail.next()).done).toBe(true);
  });
});
