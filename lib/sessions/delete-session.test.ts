import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { done, failed, status, token } from "#fold/run-story.fixture";
import { framesOf } from "#journal/journal.fixture";
import { AppError } from "#protocol/errors";
import { deleteSession, type SessionEnding } from "./delete-session";
import { openTestRoom, type TestRoom } from "./sessions.fixture";

let bench: TestRoom;
beforeEach(async () => {
  bench = await openTestRoom();
});
afterEach(() => bench.close());

/** Rows of every table that names sessions or runs; of deleted ones only their names are kept. */
async function leftOver(): Promise<number> {
  const { rows } = await bench.database.execute(`SELECT DISTINCT m.name FROM sqlite_master m, pragma_table_info(m.name) c
    WHERE m.type = 'table' AND c.name IN ('session_id', 'run_id') AND m.name <> 'tombstones'`);
  const tables = rows.map((row) => String(row["name"]));
  expect(tables).toEqual(expect.arrayContaining(["sessions", "runs", "events", "run_views", "run_view_parts", "search_rows", "queue_items", "attachments"]));
  const results = await bench.database.read(tables.map((table) => `SELECT COUNT(*) AS count FROM ${table}`));
  return results.reduce((sum, result) => sum + Number(result.rows[0]?.["count"]), 0);
}

const calm = (removed: string[] = []): SessionEnding => ({
  quiesce: () => Promise.resolve(),
  removeFiles: (id) => {
    removed.push(id);
    return Promise.resolve();
  },
});

describe("deleting a session", () => {
  test("B116: leaves no row in any table, and an open stream hears of it last", async () => {
    const session = await bench.session("Gone soon");
    for (let turn = 0; turn < 30; turn += 1) await bench.run(session, [token(`words ${turn}`), done()]);
    await bench.database.execute({ sql: "INSERT INTO queue_items (queue_id, session_id, mode, message, created_at, rank) VALUES ('que_1', ?, 'queue', 'next', 1, 1)", args: [session] });
    const signal = new AbortController();
    const chunks = bench.journal.tailSession(session, 0, signal.signal)[Symbol.asyncIterator]();
    await chunks.next();
    const last = chunks.next();
    const removed: string[] = [];
    await deleteSession(bench.room, calm(removed), session);
    const chunk = await last;
    const frames = chunk.done === true ? [] : framesOf(chunk.value);
    expect(frames.at(-1)).toMatchObject({ event: "session.deleted", data: { run_id: null, terminal: false, payload: {}, session_id: session } });
    expect(await leftOver()).toBe(0);
    expect(removed).toEqual([session]);
    expect((await bench.database.execute("PRAGMA foreign_key_check")).rows).toEqual([]);
    expect((await bench.database.execute("PRAGMA journal_mode")).rows[0]?.[0]).toBe("wal");
    expect((await bench.database.execute("PRAGMA foreign_keys")).rows[0]?.[0]).toBe(1);
    expect(await bench.journal.resolveSessionCursor(session, null)).toBeNull();
  });

  test("B126: a run that is active is ended first, and one that begins meanwhile is ended too", async () => {
    const session = await bench.session("Busy");
    const active = await bench.run(session, [status("running")]);
    let quiet = 0;
    const ending: SessionEnding = {
      ...calm(),
      quiesce: async () => {
        quiet += 1;
        await bench.database.execute({ sql: "UPDATE runs SET status = 'cancelled', terminal_state = 'cancelled' WHERE session_id = ?", args: [session] });
        // Between the end of the work and the deletion the queue starts the next run, once.
        if (quiet === 1) await bench.run(session, [status("running")]);
      },
    };
    await deleteSession(bench.room, ending, session);
    expect(quiet).toBe(2);
    expect(await bench.journal.readView(active)).toBeNull();
    expect(await leftOver()).toBe(0);
  });

  test("work that cannot be ended keeps the session", async () => {
    const session = await bench.session("Held");
    await bench.run(session, [failed("internal")]);
    const before = await leftOver();
    const refusing: SessionEnding = { ...calm(), quiesce: () => Promise.reject(new AppError("conflict", "Another process owns it.")) };
    await expect(deleteSession(bench.room, refusing, session)).rejects.toMatchObject({ code: "conflict" });
    expect(await leftOver()).toBe(before);
    await expect(deleteSession(bench.room, calm(), "ses_none")).rejects.toMatchObject({ code: "session_not_found" });
  });

  test("a child that begins while its parent is being stopped is stopped and goes along, the oldest first", async () => {
    const session = await bench.session("Parent");
    const child = async (parent: string): Promise<string> => {
      const id = await bench.session("Child");
      await bench.run(id, [status("running")]);
      await bench.database.execute({ sql: "UPDATE sessions SET parent_session_id = ?, hidden = 1 WHERE session_id = ?", args: [parent, id] });
      return id;
    };
    const first = await child(session);
    const grandchild = await child(first);
    const stopped: string[] = [];
    let late = "";
    const removed: string[] = [];
    const ending: SessionEnding = {
      ...calm(removed),
      quiesce: async (id) => {
        stopped.push(id);
        await bench.database.execute({ sql: "UPDATE runs SET status = 'cancelled', terminal_state = 'cancelled' WHERE session_id = ?", args: [id] });
        if (late === "") late = await child(first);
      },
    };
    await deleteSession(bench.room, ending, session);
    expect(stopped.slice(0, 3)).toEqual([session, first, grandchild]);
    expect([...new Set(stopped)].toSorted()).toEqual([session, first, grandchild, late].toSorted());
    expect(removed.toSorted()).toEqual([session, first, grandchild, late].toSorted());
    expect(await leftOver()).toBe(0);
  });

  test("the hidden sessions of its children go along, branches stay", async () => {
    const session = await bench.session("Parent");
    const child = await bench.session("Child");
    const branch = await bench.session("Branch");
    await bench.database.batch([
      { sql: "UPDATE sessions SET parent_session_id = ? WHERE session_id IN (?, ?)", args: [session, child, branch] },
      { sql: "UPDATE sessions SET hidden = 1 WHERE session_id = ?", args: [child] },
    ]);
    await deleteSession(bench.room, calm(), session);
    const { rows } = await bench.database.execute("SELECT session_id, parent_session_id FROM sessions");
    expect(rows.map((row) => [row["session_id"], row["parent_session_id"]])).toEqual([[branch, null]]);
  });
});
