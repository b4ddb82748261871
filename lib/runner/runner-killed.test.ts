/** B097: the runner is killed while runs stand in every phase; the next one queues, asks, or ends each of them, and nothing that was seen is lost. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { foldRunAll } from "#fold/fold-run";
import type { RunEvent } from "#protocol/events";
import type { RunView } from "#protocol/run-view";
import { eventsIn } from "#runtime/runtime-contract-story";
import { RunnerProcess } from "#testing/runner-process";
import type { WebReader } from "#testing/test-runner";
import { until } from "#testing/until";

const SLOW = 90_000;
let folder = "";
const closing: { (): Promise<void> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "runner-killed-"));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(folder, { recursive: true, force: true });
});

async function start(env: Readonly<Record<string, string>>): Promise<RunnerProcess> {
  const runner = await RunnerProcess.start(folder, env);
  closing.push(() => runner.kill());
  return runner;
}

class Watcher {
  readonly events: RunEvent[] = [];
  readonly over: Promise<void>;

  constructor(
    reader: WebReader,
    readonly runId: string,
    readonly sessionId: string,
  ) {
    this.over = this.watch(reader);
  }

  get view(): RunView | null {
    return this.events.length === 0 ? null : foldRunAll(null, this.events);
  }

  private async watch(reader: WebReader): Promise<void> {
    const stream = await reader.runtime.adapter.observeRun(this.runId, null, AbortSignal.timeout(SLOW));
    for await (const chunk of stream?.chunks ?? []) this.events.push(...eventsIn(chunk.text));
  }
}

async function begin(reader: WebReader, message: string, sessionId: string | null = null): Promise<Watcher> {
  const started = await reader.runtime.adapter.startRun({ session_id: sessionId, message });
  if (!started.ok) throw new Error(`${started.error.code}: ${started.error.message}`);
  return new Watcher(reader, started.value.run_id, started.value.session_id);
}

function outputOf(view: RunView | null): string {
  return view?.parts.map((part) => (part.type === "tool" ? part.stdout : part.type === "text" ? part.text : "")).join("") ?? "";
}

/** Processes whose command line holds the word. */
function processesWith(word: string): number {
  const lines = execFileSync("ps", ["-eo", "stat=,args="], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line.includes(word) && !line.startsWith("Z")).length;
}

describe("kill -9 of the runner", () => {
  it("in every phase at once: each run goes on, asks again, or ends once, and the next message works (B097)", async () => {
    const nap = `sleep 31${Math.floor(Math.random() * 9_000) + 1_000}`;
    const env = { HERMES_MAX_CONCURRENT_RUNS: "3" };
    const first = await start(env);
    const reader = await first.reader();
    closing.push(() => reader.close());

    const asking = await begin(reader, "say Before.\nrun echo ran; rm -rf nothing\nask Which? | red | blue\n\nsay Done.");
    await until(() => asking.view?.status === "awaiting_approval");
    const silent = await begin(reader, "sleep 60000");
    const talking = await begin(reader, "stream 5000 10");
    const working = await begin(reader, `run echo begun; ${nap}\nrun echo never`);
    const queued = await begin(reader, "say My turn came.");
    await until(() => outputOf(talking.view).length > 20 && outputOf(working.view) === "begun\n");
    expect(queued.view?.status).toBe("queued");
    const watchers = [asking, silent, talking, working, queued];
    const before = watchers.map((watcher) => [...watcher.events]);
    const promptsBefore = asking.view?.parts.filter((part) => part.type === "approval" || part.type === "clarify");

    const killed = performance.now();
    await first.kill();
    expect(await reader.runtime.health()).toMatchObject({ ok: false, reason: "crashed" });
    await start({ ...env, ...first.place() });
    await Promise.all([silent.over, talking.over, working.over, queued.over]);
    expect(performance.now() - killed).toBeLessThan(15_000);

    // Each ends exactly once; what a watcher saw before is the beginning of what it saw at the end.
    watchers.forEach((watcher, index) => {
      expect(watcher.events.slice(0, before[index]?.length)).toEqual(before[index]);
      expect(watcher.events.map((event) => event.seq)).toEqual(watcher.events.map((_, at) => at + 1));
      expect(watcher.events.filter((event) => event.terminal)).toHaveLength(watcher === asking ? 0 : 1);
    });
    for (const watcher of [silent, talking, working]) {
      expect(watcher.view).toMatchObject({ status: "failed", terminal_state: "interrupted", error: { code: "runtime_interrupted", message: expect.stringContaining("runner"), diagnostics: { process: "runner", pid: first.pid } } });
    }
    expect(outputOf(talking.view)).toMatch(/^w1 w2 w3/);
    expect(working.view?.parts).toMatchObject([{ type: "tool", status: "interrupted", stdout: "begun\n" }, { type: "tool", status: "interrupted", stdout: "", started_at: null }, { type: "error" }]);
    expect(queued.view).toMatchObject({ terminal_state: "completed", parts: [{ type: "text", text: "My turn came." }] });
    await until(() => processesWith(nap) === 0, 10_000);

    // The one that waited for a person waits with the same ids, and goes on when it is answered.
    await until(async () => (await reader.runtime.health()).ok);
    expect(asking.view?.parts.filter((part) => part.type === "approval" || part.type === "clarify")).toEqual(promptsBefore);
    const state = await reader.runtime.adapter.getRun(asking.runId);
    const { adapter } = reader.runtime;
    expect(await adapter.respondClarify(asking.runId, state?.pending_clarify_id ?? "", { response: "red" })).toMatchObject({ ok: true, value: { accepted: true } });
    expect(await adapter.respondApproval(asking.runId, state?.pending_approval_id ?? "", "once")).toMatchObject({ ok: true, value: { accepted: true } });
    await asking.over;
    expect(asking.view).toMatchObject({ terminal_state: "completed" });
    expect(outputOf(asking.view)).toBe("Before.ran\nDone.");
    expect(asking.events.filter((event) => event.terminal)).toHaveLength(1);

    for (const watcher of watchers) {
      const next = await begin(reader, "say Next.", watcher.sessionId);
      await next.over;
      expect(next.view).toMatchObject({ terminal_state: "completed" });
    }
    for (const watcher of watchers) expect(await reader.journal.readView(watcher.runId)).toEqual(watcher.view);
  }, SLOW);

  it("while many start: every start that was answered exists once, and none without an answer is half there", async () => {
    const first = await start({});
    const reader = await first.reader();
    closing.push(() => reader.close());
    const starts = Array.from({ length: 30 }, (_, index) => reader.runtime.adapter.startRun({ message: `say Number ${index}.` }));
    await Promise.race(starts);
    await first.kill();
    const outcomes = await Promise.all(starts);
    await start(first.place());
    const begun = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value.run_id] : []));
    for (const outcome of outcomes) if (!outcome.ok) expect(outcome.error.code).toBe("runner_unavailable");
    const { rows } = await reader.database.execute("SELECT r.run_id, (SELECT COUNT(*) FROM events e WHERE e.run_id = r.run_id) AS events FROM runs r");
    expect(new Set(begun).size).toBe(begun.length);
    expect(rows.map((row) => String(row["run_id"]))).toEqual(expect.arrayContaining(begun));
    for (const row of rows) expect(Number(row["events"])).toBeGreaterThan(0);
    await until(async () => (await reader.database.execute("SELECT COUNT(*) AS open FROM runs WHERE terminal_state IS NULL")).rows[0]?.["open"] === 0, 15_000);
  }, SLOW);

  it("twice in a row, the second time while the first recovery is at work: still one end each", async () => {
    const first = await start({});
    const reader = await first.reader();
    closing.push(() => reader.close());
    const runs = [await begin(reader, "stream 5000 5"), await begin(reader, "run echo begun; sleep 300"), await begin(reader, "ask Still there? | yes")];
    await until(() => runs[2]?.view?.status === "awaiting_clarify" && outputOf(runs[1]?.view ?? null) !== "");
    await first.kill();
    const second = await RunnerProcess.spawn(folder, first.place());
    closing.push(() => second.kill());
    await until(async () => (await reader.database.execute("SELECT COUNT(*) AS owners FROM owners WHERE kind = 'runner'")).rows[0]?.["owners"] === 2, SLOW);
    await second.kill();
    await start(first.place());
    await Promise.all(runs.slice(0, 2).map((run) => run.over));
    for (const run of runs.slice(0, 2)) {
      expect(run.view).toMatchObject({ terminal_state: "interrupted" });
      expect(run.events.filter((event) => event.terminal)).toHaveLength(1);
    }
    const prompt = (await reader.runtime.adapter.getRun(runs[2]?.runId ?? ""))?.pending_clarify_id ?? "";
    expect(await reader.runtime.adapter.respondClarify(runs[2]?.runId ?? "", prompt, { response: "yes" })).toMatchObject({ ok: true, value: { accepted: true } });
    await runs[2]?.over;
    expect(runs[2]?.view).toMatchObject({ terminal_state: "completed" });
  }, SLOW);
});
