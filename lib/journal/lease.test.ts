import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "#db/open-database";
import { EPOCH, openWorkbench, startRun, token, type Workbench } from "./journal.fixture";
import { LeaseLostError } from "./journal";
import { acquireOwner, RunnerExistsError, type LeaseSettings, type OwnerLease } from "./lease";
import { createJournal } from "./libsql-journal";

let bench: Workbench;
let leases: OwnerLease[];
/** The processes of this machine, by number: what names their start. */
let processes: Map<number, string>;
let clock: number;

beforeEach(async () => {
  bench = await openWorkbench();
  leases = [];
  processes = new Map([[10, "ten"], [11, "eleven"], [12, "twelve"]]);
  clock = 1_000_000;
});
afterEach(async () => {
  for (const lease of leases) await lease.release();
  await bench.close();
});

async function acquire(pid: number, kind: "web" | "runner" = "web", leaseSeconds = 0.3): Promise<OwnerLease> {
  const settings: LeaseSettings = {
    database: bench.database,
    kind,
    pid,
    pidStarted: processes.get(pid) ?? "unknown",
    leaseSeconds,
    now: () => clock,
    readMark: (asked) => processes.get(asked) ?? null,
    onFailure: (error) => {
      throw error;
    },
  };
  const lease = await acquireOwner(settings);
  leases.push(lease);
  return lease;
}

/** An owner that says nothing any more, as a stopped or killed process. */
async function silence(lease: OwnerLease): Promise<void> {
  const row = await bench.database.execute({ sql: "SELECT expires_at FROM owners WHERE epoch = ?", args: [lease.epoch] });
  await lease.release();
  await bench.database.execute({ sql: "UPDATE owners SET lost_at = NULL, expires_at = ? WHERE epoch = ?", args: [row.rows[0]?.[0] ?? 0, lease.epoch] });
}

async function runOf(lease: OwnerLease, runId: string): Promise<void> {
  await startRun(bench, runId, runId.replace("run", "ses"));
  await bench.database.execute({ sql: "UPDATE runs SET owner_epoch = ? WHERE run_id = ?", args: [lease.epoch, runId] });
}

describe("H1: one owner by lease", () => {
  it("epochs rise and are never used again", async () => {
    const first = await acquire(10);
    await first.release();
    const second = await acquire(10);
    expect(second.epoch).toBeGreaterThan(first.epoch);
    expect(first.epoch).toBeGreaterThan(EPOCH);
  });

  it("a second runner is refused and told the first's pid; after the first it may start", async () => {
    const first = await acquire(10, "runner");
    await expect(acquire(11, "runner")).rejects.toMatchObject({ pid: 10, message: expect.stringContaining("10") });
    await expect(acquire(11, "runner")).rejects.toBeInstanceOf(RunnerExistsError);
    await first.release();
    await expect(acquire(11, "runner")).resolves.toBeDefined();
  });

  it("of runners that start at one moment exactly one wins", async () => {
    const ends = await Promise.allSettled([10, 11, 12].map((pid) => acquire(pid, "runner")));
    expect(ends.filter((end) => end.status === "fulfilled")).toHaveLength(1);
  });

  it("an owner whose process is gone, or whose number belongs to another, loses its runs at once", async () => {
    const killed = await acquire(10, "web", 3600);
    const reused = await acquire(11, "web", 3600);
    const alive = await acquire(12, "web", 3600);
    await runOf(killed, "run_A");
    await runOf(reused, "run_B");
    await runOf(alive, "run_C");
    processes.delete(10);
    processes.set(11, "another start");
    const taken = await (await acquire(13, "web", 3600)).takeOver();
    expect(taken.map((run) => [run.run_id, run.owner_kind, run.owner_pid, run.request])).toEqual([
      ["run_A", "web", 10, "{}"],
      ["run_B", "web", 11, "{}"],
    ]);
    const owners = await bench.database.execute("SELECT run_id, owner_epoch FROM runs ORDER BY run_id");
    expect(owners.rows[2]?.["owner_epoch"]).toBe(alive.epoch);
  });

  it("a stopped owner whose lease ran out loses its runs, cannot append, and learns it at its next renewal", async () => {
    const stopped = await acquire(10);
    await runOf(stopped, "run_A");
    await silence(stopped);
    clock += 1;
    const next = await acquire(11);
    expect((await next.takeOver()).map((run) => run.run_id)).toEqual(["run_A"]);
    const late = createJournal({ database: await openDatabase({ url: bench.url }), epoch: stopped.epoch, now: () => clock });
    await expect(late.transact(["SELECT 1"], { fenced: true })).rejects.toBeInstanceOf(LeaseLostError);
    await late.close();
    await stopped.renew();
    expect((await next.takeOver())).toEqual([]);
  });

  it("a lost owner is told, and cannot take over anything", async () => {
    const owner = await acquire(10);
    await bench.database.execute({ sql: "UPDATE owners SET lost_at = 1 WHERE epoch = ?", args: [owner.epoch] });
    await expect(owner.takeOver()).rejects.toBeInstanceOf(LeaseLostError);
    expect(owner.lost.aborted).toBe(true);
  });

  it("a clock that jumps, forward or back, takes nothing from an owner that renews", async () => {
    const owner = await acquire(10);
    const other = await acquire(11);
    await runOf(owner, "run_A");
    for (const jump of [3600, -86_400]) {
      clock += jump;
      // The clock is fake, so its renewals must differ: a second passes between them.
      const ticking = setInterval(() => (clock += 0.001), 10);
      expect(await other.takeOver()).toEqual([]);
      clearInterval(ticking);
    }
    expect(owner.lost.aborted).toBe(false);
  });

  it("finished runs are nobody's: only unfinished ones are taken", async () => {
    const owner = await acquire(10);
    const writer = await startRun(bench, "run_A", "ses_A");
    await bench.journal.enqueue(writer.emit(token("x"), { type: "error", payload: { code: "internal", message: "no", diagnostics: {}, retryable: false } }));
    await bench.database.execute({ sql: "UPDATE runs SET owner_epoch = ?", args: [owner.epoch] });
    await silence(owner);
    processes.delete(10);
    expect(await (await acquire(11)).takeOver()).toEqual([]);
  });
});
