import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { processMark } from "#config/process-mark";
import { Child, type ChildPlan } from "./child";
import type { ChildFact } from "./child-report";
import { openOutputFile, type OutputFile } from "./output-file";
import { poll } from "./wait";

/** A server with a health route, or whatever the arguments make of it. */
const PROGRAM = `
const { createServer } = require("node:http");
const [manner, port] = process.argv.slice(2);
console.log(JSON.stringify({ msg: "hello", pid: process.pid }));
console.log("not a log entry");
if (manner === "fails") process.exit(7);
if (manner === "stubborn") {
  process.on("SIGTERM", () => {});
  const helper = require("node:child_process").spawn("sleep", ["600"], { stdio: "ignore" });
  require("node:fs").writeFileSync(__filename + ".helper", String(helper.pid));
}
if (manner === "silent") setInterval(() => {}, 1000);
else createServer((request, response) => response.end('{"status":"ok"}')).listen(Number(port), "127.0.0.1");
`;

let directory: string;
let output: OutputFile;
let passedOn: string[];
let facts: ChildFact[];
let stop: AbortController;
let force: AbortController;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "child-"));
  writeFileSync(join(directory, "program.cjs"), PROGRAM);
  passedOn = [];
  facts = [];
  output = openOutputFile(join(directory, "child.out"), (line) => passedOn.push(line));
  stop = new AbortController();
  force = new AbortController();
});
afterEach(() => {
  output.close();
  rmSync(directory, { recursive: true });
});

async function freePort(): Promise<number> {
  const server = await listenOn(0);
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

function listenOn(port: number): Promise<Server> {
  const server = createServer((_request, response) => response.end("x"));
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

async function childOf(manner: string, changes: Partial<ChildPlan> = {}) {
  const port = await freePort();
  const plan: ChildPlan = {
    name: "web",
    program: { command: [join(directory, "program.cjs"), manner, String(port)], directory, environment: { PATH: "/usr/bin:/bin" } },
    url: `http://127.0.0.1:${port}`,
    healthUrl: `http://127.0.0.1:${port}/health`,
    stopGraceMs: 5000,
    startTimeoutMs: 10_000,
    backoff: { delaysMs: [20, 40], minimumUptimeMs: 60_000 },
    ...changes,
  };
  const child = new Child(plan, output, (fact) => facts.push(fact));
  return { child, kept: child.keep({ stop: stop.signal, force: force.signal }, null) };
}

/** The pid of the nth process that answered. */
async function nthReady(count: number): Promise<number> {
  const ready = await poll(() => (facts.filter(({ type }) => type === "answered").length >= count ? true : null), {
    everyMs: 10,
    timeoutMs: 15_000,
    signal: new AbortController().signal,
  });
  if (ready === null) throw new Error(`Only these facts: ${JSON.stringify(facts)}`);
  return facts.flatMap((fact) => (fact.type === "started" ? [fact.pid] : []))[count - 1] ?? 0;
}

describe("a child that is kept", () => {
  test("comes back after a kill with another pid, and ends when the stop is asked", async () => {
    const { kept } = await childOf("serves");
    const first = await nthReady(1);
    const killedAt = performance.now();
    process.kill(first, "SIGKILL");
    const second = await nthReady(2);
    expect(performance.now() - killedAt).toBeLessThan(2000 + 3000);
    expect(second).not.toBe(first);
    expect(facts.find(({ type }) => type === "crashed")).toMatchObject({ crash: { kind: "signal" } });
    stop.abort();
    expect(await kept).toEqual({ stopped: true });
    expect(processMark(second)).toBeNull();
  });

  test("is restarted on request, which is no crash", async () => {
    const { child, kept } = await childOf("serves");
    const first = await nthReady(1);
    child.restart();
    const second = await nthReady(2);
    expect([processMark(first), second === first]).toEqual([null, false]);
    expect(facts.map(({ type }) => type)).toEqual(["started", "answered", "stop_asked", "ended", "started", "answered"]);
    stop.abort();
    await kept;
  });

  test("S2: one that ignores TERM is killed after the grace, with its whole group", async () => {
    const { kept } = await childOf("stubborn", { stopGraceMs: 200 });
    const pid = await nthReady(1);
    const helper = Number(readFileSync(join(directory, "program.cjs.helper"), "utf8"));
    expect(processMark(helper)).not.toBeNull();
    stop.abort();
    await kept;
    expect([processMark(pid), processMark(helper)]).toEqual([null, null]);
  });

  test("a second wish to stop does not wait for the grace", async () => {
    const { kept } = await childOf("stubborn", { stopGraceMs: 600_000 });
    const pid = await nthReady(1);
    stop.abort();
    force.abort();
    await kept;
    expect(processMark(pid)).toBeNull();
  });
});

describe("a child that cannot be started", () => {
  test("is given up after a few tries, with the reason", async () => {
    const { kept } = await childOf("fails");
    expect(await kept).toMatchObject({ stopped: false, crash: { kind: "failed_start" } });
    expect(facts.filter(({ type }) => type === "started")).toHaveLength(3);
  });

  test("is given up at once when its port is taken", async () => {
    const port = await freePort();
    const other = await listenOn(port);
    const { kept } = await childOf("serves", {
      program: { command: [join(directory, "program.cjs"), "serves", String(port)], directory, environment: {} },
    });
    expect(await kept).toMatchObject({ stopped: false, crash: { kind: "port_taken" } });
    await new Promise((resolve) => other.close(resolve));
  });

  test("is ended when it never answers", async () => {
    const { kept } = await childOf("silent", { startTimeoutMs: 300 });
    expect(await kept).toMatchObject({ stopped: false, crash: { kind: "failed_start", message: expect.stringContaining("in time") } });
    for (const fact of facts) if (fact.type === "started") expect(processMark(fact.pid)).toBeNull();
  });
});

test("of what a child writes its log entries are passed on, and the end is kept", async () => {
  const { kept } = await childOf("fails");
  await kept;
  expect(output.readTail()).toContain("not a log entry");
  expect(passedOn).toHaveLength(3);
  expect(passedOn.every((line) => JSON.parse(line).msg === "hello")).toBe(true);
});
