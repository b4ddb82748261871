/** A web process beside a runner that comes, goes, comes back, or loses answers: tails see everything, starts are told as they are. */
import { request } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Runner } from "#runner/open-runner";
import { hangs, says, startFakeRunner, type FakeAnswer } from "#testing/fake-runner";
import { openTestRunner, openWebReader, TEST_KEY, type WebReader } from "#testing/test-runner";
import { until } from "#testing/until";
import { RunnerDoorbell } from "./runner-doorbell";
import { createRunnerClient } from "./runner-client";
import { eventsIn, taken } from "./runtime-contract-story";

let folder = "";
const closing: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "runner-doorbell-"));
});
afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each.close();
  await rm(folder, { recursive: true, force: true });
});

async function runnerOn(port: number): Promise<Runner> {
  const runner = await openTestRunner({ folder, env: { HERMES_WEBUI_RUNNER_BASE_URL: `http://127.0.0.1:${port}` } });
  closing.push({ close: () => runner.close(200) });
  return runner;
}

async function readerOf(url: string): Promise<WebReader> {
  const reader = await openWebReader({ folder, url });
  closing.push(reader);
  return reader;
}

/** What a journal is told by a doorbell. */
class Ears {
  rings = 0;
  connected: boolean[] = [];
  ring(): void {
    this.rings += 1;
  }
  setDoorbell(connected: boolean): void {
    this.connected.push(connected);
  }
}

function doorbellAt(url: string, ears: Ears): RunnerDoorbell {
  const doorbell = new RunnerDoorbell(createRunnerClient({ base_url: url, api_key: TEST_KEY, version: "x" }), ears, { shortestPauseMs: 5, longestPauseMs: 50 });
  closing.push(doorbell);
  return doorbell;
}

describe("the doorbell", () => {
  it("is heard while a run is at work, and says so", async () => {
    const runner = await runnerOn(0);
    const ears = new Ears();
    doorbellAt(runner.url, ears);
    await until(() => ears.connected.at(-1) === true);
    const { runtime } = await readerOf(runner.url);
    taken(await runtime.adapter.startRun({ message: "stream 20 20" }));
    await until(() => ears.rings >= 5);
  });

  it("that lies, hangs up or says nothing sensible is only tried again", async () => {
    const answers: readonly FakeAnswer[] = [
      says(200, "<html>"),
      says(401, {}),
      says(302, "", { location: "http://127.0.0.1:1/" }),
      (incoming) => incoming.socket.destroy(),
      (_, outgoing) => {
        outgoing.writeHead(200, { "content-type": "text/event-stream" });
        const pour = setInterval(() => outgoing.write("x".repeat(20_000)), 1);
        outgoing.on("close", () => clearInterval(pour));
      },
    ];
    for (const answer of answers) {
      const runner = await startFakeRunner(answer);
      closing.push(runner);
      const ears = new Ears();
      doorbellAt(runner.url, ears);
      await until(() => runner.asked.length >= 3);
      expect([ears.connected.includes(true), ears.rings]).toEqual([false, 0]);
    }
  });

  it("ends at once when the process closes, connected or not", async () => {
    for (const answer of [hangs, says(500, {})]) {
      const runner = await startFakeRunner(answer);
      closing.push(runner);
      const doorbell = new RunnerDoorbell(createRunnerClient({ base_url: runner.url, api_key: TEST_KEY, version: "x" }), new Ears(), { shortestPauseMs: 60_000, longestPauseMs: 60_000 });
      await until(() => runner.asked.length === 1);
      await doorbell.close();
    }
  });
});

describe("a web process whose runner goes and comes back (B110)", () => {
  it("answers within bounds meanwhile, and works again without a restart of its own", async () => {
    const first = await openTestRunner({ folder });
    const port = Number(new URL(first.url).port);
    const { runtime, journal } = await readerOf(first.url);
    const before = taken(await runtime.adapter.startRun({ message: "ask Go on? | yes" }));
    await until(async () => (await runtime.adapter.getRun(before.run_id))?.status === "awaiting_clarify");
    const prompt = (await runtime.adapter.getRun(before.run_id))?.pending_clarify_id ?? "";
    await first.close(0);

    const began = performance.now();
    const refusal = await runtime.adapter.startRun({ message: "say Meanwhile." });
    expect(refusal).toMatchObject({ ok: false, error: { code: "runner_unavailable", details: { reason: "missing" } } });
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(await runtime.health()).toMatchObject({ configured: true, ok: false, reason: "missing" });
    // Facts are read without a runner, and nothing was started anywhere.
    expect(await runtime.adapter.getRun(before.run_id)).toMatchObject({ status: "awaiting_clarify", pending_clarify_id: prompt });

    await runnerOn(port);
    const watching = runtime.adapter.observeRun(before.run_id, null, AbortSignal.timeout(15_000));
    expect(taken(await runtime.adapter.respondClarify(before.run_id, prompt, { response: "yes" })).accepted).toBe(true);
    const seqs: number[] = [];
    for await (const chunk of (await watching)?.chunks ?? []) seqs.push(...eventsIn(chunk.text).map((event) => event.seq));
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    const next = taken(await runtime.adapter.startRun({ message: "say Back." }));
    await until(async () => (await journal.readView(next.run_id))?.terminal_state === "completed");
  });
});

describe("a start whose answer is lost", () => {
  it("is told as begun when it began, and as unavailable when it did not", async () => {
    const runner = await runnerOn(0);
    // Passes the request on and cuts the wire in place of the answer.
    const cutting: FakeAnswer = (incoming, outgoing) => {
      const passed = request(`${runner.url}${incoming.url ?? ""}`, { method: incoming.method, headers: incoming.headers }, (answer) => {
        answer.resume();
        answer.on("end", () => outgoing.destroy());
      });
      incoming.pipe(passed);
    };
    const wire = await startFakeRunner(cutting);
    closing.push(wire);
    const { runtime, journal } = await readerOf(wire.url);
    const told = taken(await runtime.adapter.startRun({ message: "say It began." }));
    expect(told).toMatchObject({ stream_id: told.run_id, title: "say It began.", model: "practice" });
    await until(async () => (await journal.readView(told.run_id))?.terminal_state === "completed");

    wire.answer((incoming) => incoming.socket.destroy());
    expect(await runtime.adapter.startRun({ message: "say It did not." })).toMatchObject({ ok: false, error: { code: "runner_unavailable" } });
  });
});

describe("two readers beside one runner", () => {
  it("see the same events in the same order while the run goes on, and either may control (B100)", async () => {
    const runner = await runnerOn(0);
    const [one, two] = [await readerOf(runner.url), await readerOf(runner.url)];
    const { run_id } = taken(await one.runtime.adapter.startRun({ message: "stream 400 10" }));
    const collect = async (reader: WebReader): Promise<readonly string[]> => {
      const stream = await reader.runtime.adapter.observeRun(run_id, null, AbortSignal.timeout(15_000));
      const ids: string[] = [];
      for await (const chunk of stream?.chunks ?? []) ids.push(...eventsIn(chunk.text).map((event) => event.event_id));
      return ids;
    };
    const watching = [collect(one), collect(two)];
    await until(async () => ((await two.journal.readView(run_id))?.parts.length ?? 0) > 0);
    for (const reader of [one, two]) expect(await reader.runtime.adapter.getRun(run_id)).toMatchObject({ status: "running", terminal_state: null });
    expect(taken(await two.runtime.adapter.cancelRun(run_id)).accepted).toBe(true);
    const [seen, alsoSeen] = await Promise.all(watching);
    expect(alsoSeen).toEqual(seen);
    expect(seen).toEqual(seen?.map((_, index) => `${run_id}:${index + 1}`));
  });
});
