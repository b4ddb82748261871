import { existsSync, readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DatabaseError } from "#db/database-error";
import { runOther } from "#db/database.fixture";
import { collectIds, done, idsUpTo, openWorkbench, startRun, type TestWriter, token, type Workbench } from "./journal.fixture";

let bench: Workbench;
afterEach(() => bench.close());

const never = new AbortController().signal;
const full = async (isFull: boolean): Promise<void> => {
  await bench.database.execute(`PRAGMA max_page_count = ${isFull ? 1 : 10_000_000}`);
};
/** 0 where the system does not tell. */
const openFiles = (): number => (existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0);
const big = (): ReturnType<typeof token> => token("x".repeat(200_000));

describe("group commit", () => {
  beforeEach(async () => {
    bench = await openWorkbench({ longestWaitMs: 25, retryForMs: 60_000, retryEveryMs: 20 });
  });

  it("fifty runs that append at once share transactions", async () => {
    const writers: TestWriter[] = [];
    for (let run = 0; run < 50; run += 1) writers.push(await startRun(bench, `run_${run}`, `ses_${run}`));
    const before = await commits();
    for (let round = 0; round < 10; round += 1) await Promise.all(writers.map((writer) => bench.journal.enqueue(writer.emit(token("x")))));
    expect((await commits()) - before).toBeLessThan(40);
    for (const writer of writers) expect((await bench.journal.readView(writer.runId))?.last_seq).toBe(11);
  });

  /** Commits so far, as another connection sees them. */
  async function commits(): Promise<number> {
    watcher ??= (await bench.another()).database;
    return Number((await watcher.execute("PRAGMA data_version")).rows[0]?.[0]);
  }
  let watcher: Workbench["database"] | null = null;
  afterEach(() => {
    watcher = null;
  });

  it("the first append after a quiet moment is durable at once, and none waits long", async () => {
    const writer = await startRun(bench, "run_1", "ses_1");
    const delays: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      const begun = performance.now();
      await bench.journal.enqueue(writer.emit(token("x")));
      delays.push(performance.now() - begun);
    }
    expect(delays.sort((a, b) => a - b)[10]).toBeLessThan(100);
  });

  it("flushed waits for everything that was enqueued", async () => {
    const writer = await startRun(bench, "run_1", "ses_1");
    void bench.journal.enqueue(writer.emit(token("a")));
    await bench.journal.flushed();
    expect((await bench.journal.readView("run_1"))?.last_seq).toBe(2);
  });

  it("a full disk stops nothing for good: what was taken goes first once there is room, in order and once", async () => {
    const writer = await startRun(bench, "run_1", "ses_1");
    const other = await startRun(bench, "run_2", "ses_2");
    const ids = collectIds(bench.journal.tailRun("run_1", 0, never));
    await full(true);
    const first = bench.journal.enqueue(writer.emit(big()));
    const second = bench.journal.enqueue(other.emit(big()));
    for (let count = 0; count < 5; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 15));
      void bench.journal.enqueue(writer.emit(token("more")));
    }
    expect((await bench.journal.readView("run_1"))?.last_seq).toBe(1);
    await full(false);
    await Promise.all([first, second, bench.journal.enqueue(writer.emit(done()))]);
    expect(await ids).toEqual(idsUpTo("run_1", 8));
    expect(await bench.journal.readView("run_1")).toEqual(writer.view);
  });

  it("a transaction meanwhile is answered, not kept waiting", async () => {
    const writer = await startRun(bench, "run_1", "ses_1");
    await full(true);
    const stuck = bench.journal.enqueue(writer.emit(big()));
    await new Promise((resolve) => setTimeout(resolve, 30));
    const huge = { sql: "INSERT INTO projects (project_id, name, created_at) VALUES ('prj_1', ?, 1)", args: ["x".repeat(300_000)] };
    await expect(bench.journal.transact([huge])).rejects.toMatchObject({ failure: "full" });
    await full(false);
    await stuck;
  });
});

describe("giving up", () => {
  it("rejects after its time, keeps what was taken, and goes on when the source comes again", async () => {
    bench = await openWorkbench({ longestWaitMs: 25, retryForMs: 80, retryEveryMs: 20 });
    const writer = await startRun(bench, "run_1", "ses_1");
    await full(true);
    await expect(bench.journal.enqueue(writer.emit(big()))).rejects.toBeInstanceOf(DatabaseError);
    await full(false);
    await bench.journal.enqueue(writer.emit(token("after"), done()));
    expect(await collectIds(bench.journal.tailRun("run_1", 0, never))).toEqual(idsUpTo("run_1", 4));
    expect(await bench.journal.readView("run_1")).toEqual(writer.view);
  });

  it("a journal that closes commits what waits and takes nothing more", async () => {
    bench = await openWorkbench();
    const writer = await startRun(bench, "run_1", "ses_1");
    const last = bench.journal.enqueue(writer.emit(token("a")));
    await bench.journal.close();
    await last;
    await expect(bench.journal.enqueue(writer.emit(token("b")))).rejects.toThrow(/closed/);
    expect((await bench.journal.readView("run_1"))?.last_seq).toBe(2);
  });
});

describe("other processes", () => {
  beforeEach(async () => {
    bench = await openWorkbench();
  });

  it("B112: a lock held for three seconds by another process loses, doubles and fails nothing", async () => {
    const writer = await startRun(bench, "run_1", "ses_1");
    const other = runOther(
      { ...bench, file: "", remove: () => undefined },
      `import { createClient } from ${JSON.stringify(import.meta.resolve("@libsql/client"))};
       const client = createClient({ url: ${JSON.stringify(bench.url)} });
       const lock = await client.transaction("write");
       console.log("locked");
       setTimeout(async () => { await lock.rollback(); client.close(); }, 3000);`,
    );
    await other.said("locked");
    const ids = collectIds(bench.journal.tailRun("run_1", 0, never));
    const descriptors = openFiles();
    for (let count = 0; count < 50; count += 1) {
      void bench.journal.enqueue(writer.emit(token(`${count} `)));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await bench.journal.enqueue(writer.emit(done()));
    expect(await ids).toEqual(idsUpTo("run_1", 52));
    expect(openFiles()).toBeLessThan(descriptors + 12);
    await other.ended;
  });

  it("a process that is killed in the middle of its commits leaves whole ones or nothing", async () => {
    for (let trial = 0; trial < 2; trial += 1) {
      const runId = `run_k${trial}`;
      const other = runOther(
        { ...bench, file: "", remove: () => undefined },
        `import { openDatabase } from "#db/open-database";
         import { createJournal } from "#journal/libsql-journal";
         import { startRun, token } from "#journal/journal.fixture";
         const database = await openDatabase({ url: ${JSON.stringify(bench.url)} });
         const journal = createJournal({ database, epoch: 1, now: () => Date.now() / 1000 });
         const writer = await startRun({ database, journal }, ${JSON.stringify(runId)}, "ses_${trial}");
         for (;;) {
           for (let each = 0; each < 7; each += 1) writer.emit(token("x".repeat(3000)));
           await journal.enqueue(writer);
           if (writer.all.length > 100 + ${trial * 37}) console.log("going");
         }`,
      );
      await other.said("going");
      other.process.kill("SIGKILL");
      await other.ended;
      const view = await bench.journal.readView(runId);
      const facts = await bench.database.execute({
        sql: "SELECT count(*) AS count, max(seq) AS last, (SELECT last_seq FROM runs WHERE run_id = ?1) AS row FROM events WHERE run_id = ?1",
        args: [runId],
      });
      const last = Number(facts.rows[0]?.["last"]);
      expect({ ...facts.rows[0] }).toEqual({ count: last, last, row: last });
      expect((last - 1) % 7).toBe(0);
      expect(view?.last_seq).toBe(last);
      expect(view?.parts).toEqual([{ type: "text", segment_id: "seg_1", message_id: "msg_2", text: "x".repeat(3000 * (last - 1)) }]);
    }
  });
});
