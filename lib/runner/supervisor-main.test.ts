/** The supervisor as a process, with stand-ins for the two programs that it runs; everything else is real. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ProcessName, readPidFile } from "#config/pid-file";
import { processMark } from "#config/process-mark";
import { type ChildName, readSupervisorStatus } from "#config/supervisor-status";
import { buildSupervisorStand } from "#testing/supervisor-stand";
import { poll } from "./supervisor/wait";

interface Started {
  readonly process: ChildProcess;
  /** What was printed so far. */
  printed(): string;
  complained(): string;
  readonly ended: Promise<number | null>;
}

let root: string;
let state: string;
let port: number;
let started: Started[];

beforeAll(async () => {
  root = await buildSupervisorStand();
});
afterAll(() => rmSync(root, { recursive: true }));

beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), "supervisor-state-"));
  port = await twoFreePorts();
  started = [];
});
afterEach(async () => {
  for (const { process: supervisor, ended } of started) {
    if (supervisor.exitCode === null && supervisor.signalCode === null) supervisor.kill("SIGTERM");
    await ended;
  }
  await start("--stop").ended;
  rmSync(state, { recursive: true });
});

async function twoFreePorts(): Promise<number> {
  for (;;) {
    const first = await holdPort(0);
    const second = await holdPort((first?.port ?? 0) + 1);
    for (const held of [first, second]) await held?.release();
    if (first !== null && second !== null) return first.port;
  }
}

/** A port while it is held, or null when it is not free. */
async function holdPort(wanted: number): Promise<{ readonly port: number; release(): Promise<unknown> } | null> {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(wanted, "127.0.0.1", () => resolve(true));
  });
  const address = server.address();
  if (!isFree || address === null || typeof address === "string") return null;
  return { port: address.port, release: () => new Promise((resolve) => server.close(resolve)) };
}

function start(...words: string[]): Started {
  const child = spawn(process.execPath, [join(root, "dist/start.mjs"), ...words], {
    env: { PATH: process.env["PATH"], NODE_ENV: "test", HOME: state, HERMES_WEBUI_STATE_DIR: state, HERMES_WEBUI_PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  let complained = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => (printed += piece));
  child.stderr.setEncoding("utf8").on("data", (piece: string) => (complained += piece));
  const one = {
    process: child,
    printed: () => printed,
    complained: () => complained,
    ended: once(child, "close").then(() => child.exitCode),
  };
  started.push(one);
  return one;
}

async function until<Answer>(ask: () => Answer | null): Promise<Answer> {
  const answer = await poll(ask, { everyMs: 20, timeoutMs: 15_000, signal: new AbortController().signal });
  if (answer === null) throw new Error(started.map((one) => `${one.printed()}${one.complained()}`).join("\n---\n"));
  return answer;
}

function untilReady(one: Started): Promise<string> {
  return until(() => (one.printed() === "" ? null : one.printed()));
}

function pidOf(name: ProcessName): number {
  const record = readPidFile(state, name);
  if (record === null) throw new Error(`${name} does not run`);
  return record.pid;
}

/** The pid of a child that answers and is another than that one. */
function untilReplaced(name: ChildName, pid: number): Promise<number> {
  return until(() => {
    const report = readSupervisorStatus(state)?.[name];
    return report?.state === "ready" && report.pid !== pid ? report.pid : null;
  });
}

function kill(pid: number, signal: NodeJS.Signals): Promise<unknown> {
  process.kill(pid, signal);
  return until(() => (processMark(pid) === null ? true : null));
}

/** The group that a process leads. */
function killGroup(leader: number): Promise<unknown> {
  process.kill(-leader, "SIGTERM");
  return until(() => (processMark(leader) === null ? true : null));
}

describe("a start", () => {
  test("says once where it is ready, keeps private pid files, and leaves nothing after TERM", async () => {
    const first = start();
    expect(await untilReady(first)).toBe(`Ready on http://127.0.0.1:${port}\n`);
    expect(readPidFile(state, "supervisor")).toMatchObject({ pid: first.process.pid, url: `http://127.0.0.1:${port}` });
    expect(readPidFile(state, "runner")?.url).toBe(`http://127.0.0.1:${port + 1}`);
    for (const name of ["supervisor.json", "web.json", "runner.json", "runner.key"]) expect(statSync(join(state, name)).mode & 0o777).toBe(0o600);
    const pids = [pidOf("web"), pidOf("runner")];
    first.process.kill("SIGTERM");
    expect(await first.ended).toBe(0);
    expect(pids.map(processMark)).toEqual([null, null]);
    expect((["supervisor", "web", "runner"] as const).map((name) => readPidFile(state, name))).toEqual([null, null, null]);
    expect(first.printed()).toBe(`Ready on http://127.0.0.1:${port}\n`);
    expect(readFileSync(join(state, "logs/supervisor.log"), "utf8")).toContain("web ready");
  });

  test("a second one says that it runs, where, and is content", async () => {
    await untilReady(start());
    const second = start("--port", "1");
    expect(await second.ended).toBe(0);
    expect(second.printed()).toBe(`Already running on http://127.0.0.1:${port}\n`);
  });

  test("of two at one moment one runs and the other says so", async () => {
    const pair = [start(), start()];
    const winner = await until(() => pair.find((one) => one.printed().startsWith("Ready")) ?? null);
    const loser = pair.find((one) => one !== winner);
    expect(await loser?.ended).toBe(0);
    expect(loser?.printed()).toBe(`Already running on http://127.0.0.1:${port}\n`);
  });

  test.each([0, 1])("a port that is taken (the page's + %i) ends it with one line that names it (B286)", async (distance) => {
    const other = await holdPort(port + distance);
    const refused = start();
    expect(await refused.ended).toBe(1);
    expect(refused.complained()).toMatch(new RegExp(`^Port ${port + distance} is taken; .*--port.*\\n$`));
    await other?.release();
  });

  test("an empty, garbage or stale pid file does not stand in the way (B102)", async () => {
    writeFileSync(join(state, "supervisor.json"), "");
    writeFileSync(join(state, "web.json"), "{");
    writeFileSync(join(state, "runner.json"), JSON.stringify({ pid: process.pid, started_at: 1, url: "http://127.0.0.1:1" }));
    expect(await untilReady(start())).toMatch(/^Ready/);
  });
});

describe("what dies comes back", () => {
  test("the page after each way to end it, its whole process group too, without the runner noticing (B104)", async () => {
    await untilReady(start());
    const runner = pidOf("runner");
    for (const [restarts, end] of [(web: number) => kill(web, "SIGKILL"), (web: number) => kill(web, "SIGTERM"), killGroup].entries()) {
      const web = pidOf("web");
      await end(web);
      await untilReplaced("web", web);
      expect(pidOf("runner")).toBe(runner);
      expect(readSupervisorStatus(state)?.web).toMatchObject({ restarts: restarts + 1, last_crash: { kind: "signal" } });
    }
    expect(readSupervisorStatus(state)?.runner?.restarts).toBe(0);
  });

  test("the runner after a kill, without the page noticing", async () => {
    await untilReady(start());
    const [web, runner] = [pidOf("web"), pidOf("runner")];
    await kill(runner, "SIGKILL");
    await untilReplaced("runner", runner);
    expect(pidOf("web")).toBe(web);
  });

  test("a killed supervisor leaves the runner running; the next one takes it over, and stops it in the end", async () => {
    const first = start();
    await untilReady(first);
    const [web, runner] = [pidOf("web"), pidOf("runner")];
    await kill(first.process.pid ?? 0, "SIGKILL");
    expect([web, runner].map((pid) => processMark(pid) === null)).toEqual([false, false]);
    const next = start();
    await untilReady(next);
    expect(pidOf("runner")).toBe(runner);
    expect(readSupervisorStatus(state)?.runner?.adopted).toBe(true);
    expect(processMark(web)).toBeNull();
    next.process.kill("SIGTERM");
    expect(await next.ended).toBe(0);
    expect(processMark(runner)).toBeNull();
  });

  test("an adopted runner that dies is replaced", async () => {
    const first = start();
    await untilReady(first);
    const runner = pidOf("runner");
    await kill(first.process.pid ?? 0, "SIGKILL");
    await untilReady(start());
    await kill(runner, "SIGKILL");
    await untilReplaced("runner", runner);
    expect(readSupervisorStatus(state)?.runner?.last_crash?.kind).toBe("gone");
  });
});

describe("from another terminal", () => {
  test("--status, --restart-web and --stop", async () => {
    const running = start();
    await untilReady(running);
    const [web, runner] = [pidOf("web"), pidOf("runner")];
    const restart = start("--restart-web");
    expect(await restart.ended).toBe(0);
    expect([pidOf("web") === web, pidOf("runner") === runner]).toEqual([false, true]);
    const status = start("--status");
    expect(await status.ended).toBe(0);
    expect(status.printed()).toContain(`Running on http://127.0.0.1:${port}`);
    expect(status.printed()).toContain(`web: ready, pid ${pidOf("web")}`);
    expect(await start("--stop").ended).toBe(0);
    expect(await running.ended).toBe(0);
    const after = start("--status");
    expect(await after.ended).toBe(3);
    expect(after.printed()).toBe("Not running\n");
  });

  test("--stop also stops what a killed supervisor left", async () => {
    const first = start();
    await untilReady(first);
    const pids = [pidOf("web"), pidOf("runner")];
    await kill(first.process.pid ?? 0, "SIGKILL");
    expect(await start("--stop").ended).toBe(0);
    expect(pids.map(processMark)).toEqual([null, null]);
  });
});
