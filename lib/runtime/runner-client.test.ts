/** The client against runners that are missing, hang, lie, redirect or are somebody else: always bounded, never an exception, the key nowhere else. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writePidFile } from "#config/pid-file";
import { writeSupervisorStatus, type ChildState } from "#config/supervisor-status";
import { CRASH_KINDS, RUNNER_FAULT_REASONS, type ProcessCrash } from "#protocol/runner-health";
import { joinStart, pidNamespace } from "#journal/owner-fate";
import { hangs, says, startFakeRunner, type FakeAnswer, type FakeRunner } from "#testing/fake-runner";
import { openWebReader, TEST_KEY, TEST_VERSION, type WebReader } from "#testing/test-runner";
import { createRunnerClient } from "./runner-client";
import { faultSentence } from "./runner-fault";

const HEALTHY = { status: "ok", version: TEST_VERSION, pid: 1, uptime_s: 1, active_runs: 2, draining: false };
const WRONG_KEY = says(401, { error: { code: "unauthorized", message: "no" } });

let folder = "";
const closing: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "runner-client-"));
});
afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each.close();
  await rm(folder, { recursive: true, force: true });
});

async function fake(answer: FakeAnswer): Promise<FakeRunner> {
  const runner = await startFakeRunner(answer);
  closing.push(runner);
  return runner;
}

async function reader(url: string | null): Promise<WebReader> {
  const opened = await openWebReader({ folder, url });
  closing.push(opened);
  return opened;
}

/** Health as given, every other route as `rest` says. */
function healthThen(health: unknown, rest: FakeAnswer): FakeAnswer {
  return (incoming, outgoing) => (incoming.url === "/health" ? says(200, health)(incoming, outgoing) : rest(incoming, outgoing));
}

/** What a supervisor of this runner would have written down. */
function supervised(state: ChildState, crash: ProcessCrash): void {
  writePidFile(folder, "supervisor", "http://127.0.0.1:1");
  const report = { state, pid: null, since: crash.at, adopted: false, restarts: 1, last_crash: crash };
  writeSupervisorStatus(folder, { supervisor_pid: process.pid, web: null, runner: report });
}

async function closedPort(): Promise<string> {
  const gone = await startFakeRunner(hangs);
  await gone.close();
  return gone.url;
}

describe("what a runner cannot do to its client", () => {
  const liars: Readonly<Record<string, FakeAnswer>> = {
    "an HTML page": says(200, "<html><body>Welcome</body></html>", { "content-type": "text/html" }),
    "JSON of another shape": says(202, { hello: "world" }),
    "half an answer": says(202, '{"run_id":'),
    "an answer without end": (_, outgoing) => {
      outgoing.writeHead(202);
      const pour = setInterval(() => outgoing.write("x".repeat(1_000_000)), 1);
      outgoing.on("close", () => clearInterval(pour));
    },
    "an error that is none of ours": says(500, { error: { code: "made_up", message: "x" } }),
    "a proxy's error page": says(502, "<html>Bad Gateway</html>"),
  };
  for (const [name, answer] of Object.entries(liars)) {
    it(`${name} is no run: 503 garbage`, async () => {
      const { runtime } = await reader((await fake(answer)).url);
      expect(await runtime.adapter.startRun({ message: "say x" })).toMatchObject({ ok: false, error: { code: "runner_unavailable", details: { reason: "garbage" } } });
    });
  }

  it("hang or drip for longer than 5 s", async () => {
    for (const answer of [
      hangs,
      ((_, outgoing) => {
        outgoing.writeHead(202);
        const drip = setInterval(() => outgoing.write(" "), 200);
        outgoing.on("close", () => clearInterval(drip));
      }) satisfies FakeAnswer,
    ]) {
      const { runtime } = await reader((await fake(answer)).url);
      const began = performance.now();
      expect(await runtime.adapter.startRun({ message: "say x" })).toMatchObject({ ok: false, error: { code: "runner_unavailable", details: { reason: "not_answering" } } });
      expect(performance.now() - began).toBeLessThan(5_000);
    }
  });

  it("close the wire in the middle and be asked twice", async () => {
    const runner = await fake((incoming) => incoming.socket.destroy());
    const { runtime } = await reader(runner.url);
    expect(await runtime.adapter.cancelRun("run_1")).toMatchObject({ ok: false, error: { code: "runner_unavailable", details: { reason: "not_answering" } } });
    expect(runner.asked.filter(({ path }) => path.endsWith("/cancel"))).toHaveLength(1);
  });

  it("get the key carried elsewhere by a redirect (B243)", async () => {
    const elsewhere = await fake(says(200, {}));
    for (const status of [301, 302, 303, 307, 308]) {
      const { runtime } = await reader((await fake(says(status, "", { location: `${elsewhere.url}/v1/runs` }))).url);
      expect(await runtime.adapter.startRun({ message: "say x" })).toMatchObject({ ok: false, error: { code: "runner_unavailable", details: { reason: "redirected" } } });
      expect(await runtime.health()).toMatchObject({ ok: false, reason: "redirected" });
    }
    expect(elsewhere.asked).toEqual([]);
  });

  it("be reached through a proxy of the environment (B243)", async () => {
    const proxy = await fake(says(200, {}));
    const runner = await fake(healthThen(HEALTHY, says(200, {})));
    const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "NODE_USE_ENV_PROXY"] as const;
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = name.startsWith("NODE") ? "1" : proxy.url;
    try {
      const { runtime } = await reader(runner.url);
      expect(await runtime.health()).toMatchObject({ ok: true });
    } finally {
      names.forEach((name, index) => {
        const value = before[index];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      });
    }
    expect(proxy.asked).toEqual([]);
    expect(runner.asked.every(({ authorization }) => authorization === `Bearer ${TEST_KEY}`)).toBe(true);
  });

  it("be named by a scheme or credentials that are not for it", () => {
    for (const url of ["file:///etc/passwd", "ftp://127.0.0.1/", "http://user:secret@127.0.0.1:1/", "javascript:alert(1)"]) {
      expect(() => createRunnerClient({ base_url: url, api_key: "k", version: "1" })).toThrow(/http or https/);
    }
  });

  it("put more into a refusal than its code, its sentence and bounded details", async () => {
    const { runtime } = await reader((await fake(says(409, { error: { code: "run_active", message: "busy", active_stream_id: "run_1" } }))).url);
    expect(await runtime.adapter.startRun({ message: "x" })).toEqual({ ok: false, error: { code: "run_active", message: "busy", details: { active_stream_id: "run_1" } } });
  });
});

describe("health tells cases apart, within a second", () => {
  const cases: Readonly<Record<string, { readonly answer: FakeAnswer; readonly reason: string }>> = {
    "does not answer": { answer: hangs, reason: "not_answering" },
    "is starting": { answer: says(503, { error: { code: "runner_unavailable", message: "x", reason: "starting" } }), reason: "starting" },
    "is draining": { answer: healthThen({ ...HEALTHY, status: "draining", draining: true }, says(200, {})), reason: "draining" },
    "has a sick database": { answer: healthThen({ ...HEALTHY, status: "degraded" }, says(200, {})), reason: "unhealthy" },
    "has another key": { answer: healthThen(HEALTHY, WRONG_KEY), reason: "wrong_key" },
    "is of another version": { answer: healthThen({ ...HEALTHY, version: "9.9.9" }, says(200, {})), reason: "wrong_version" },
    "is a web page": { answer: says(200, "<html></html>"), reason: "garbage" },
    "redirects": { answer: says(302, "", { location: "http://127.0.0.1:1/" }), reason: "redirected" },
  };
  for (const [name, { answer, reason }] of Object.entries(cases)) {
    it(`one that ${name}`, async () => {
      const { runtime } = await reader((await fake(answer)).url);
      const began = performance.now();
      expect(await runtime.health()).toMatchObject({ configured: true, ok: false, reason });
      expect(performance.now() - began).toBeLessThan(1_000);
    });
  }

  it("one that is well", async () => {
    const { runtime } = await reader((await fake(healthThen(HEALTHY, says(200, {})))).url);
    expect(await runtime.health()).toEqual({ configured: true, ok: true, version: TEST_VERSION, active_runs: 2 });
  });

  it("one that is not there, and one that died with its lease", async () => {
    const { runtime, database } = await reader(await closedPort());
    expect(await runtime.health()).toEqual({ configured: true, ok: false, reason: "missing" });
    await database.execute({
      sql: "INSERT INTO owners (kind, pid, pid_started, started_at, expires_at) VALUES ('runner', 4194304, ?, 0, 9e9)",
      args: [joinStart("nobody", pidNamespace())],
    });
    expect(await runtime.health()).toEqual({ configured: true, ok: false, reason: "crashed" });
  });

  it.each(CRASH_KINDS)("one whose supervisor saw it die of %s, lease or not", async (kind) => {
    const { runtime } = await reader(await closedPort());
    const crash = { kind, message: "The runner process died.", at: 1_000 };
    supervised("waiting", crash);
    expect(await runtime.health()).toEqual({ configured: true, ok: false, reason: "crashed", crash });
    supervised("starting", { ...crash, at: Date.now() / 1000 });
    expect(await runtime.health()).toMatchObject({ ok: false, reason: "crashed", crash: { kind } });
  });

  it("one that is back tells of its crash for some minutes", async () => {
    const { runtime } = await reader((await fake(healthThen(HEALTHY, says(200, {})))).url);
    const crash = { kind: "signal", message: "The runner process was ended by SIGKILL.", at: Date.now() / 1000 } as const;
    supervised("ready", crash);
    expect(await runtime.health()).toEqual({ configured: true, ok: true, version: TEST_VERSION, active_runs: 2, crash });
    supervised("ready", { ...crash, at: crash.at - 3_600 });
    expect(await runtime.health()).not.toHaveProperty("crash");
  });

  it("none at all: every control is 501, facts are still read", async () => {
    const { runtime } = await reader(null);
    expect(await runtime.health()).toEqual({ configured: false, ok: false, reason: "not_configured" });
    const { adapter, controls } = runtime;
    const outcomes = [
      await adapter.startRun({ message: "say x" }),
      await adapter.cancelRun("run_1"),
      await adapter.respondApproval("run_1", "apr_1", "once"),
      await adapter.respondClarify("run_1", "clr_1", { response: "x" }),
      await adapter.queueMessage("ses_1", { message: "x", mode: "queue" }),
      await adapter.updateGoal("ses_1", "set", "x"),
      await controls.resumeQueue("ses_1"),
      await controls.setYolo("ses_1", true),
      await controls.compress("ses_1", null),
      await controls.retry("ses_1", null, null),
      await controls.quiesce("ses_1"),
      await controls.listProcesses("ses_1"),
      await controls.stopProcess("ses_1", "prc_1"),
    ];
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: false, error: { code: "runner_not_configured" } });
    expect(await adapter.getRun("run_1")).toBeNull();
  });

  it("every reason has a sentence of its own", () => {
    expect(new Set(RUNNER_FAULT_REASONS.map(faultSentence)).size).toBe(RUNNER_FAULT_REASONS.length);
  });
});
