import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIdFactory } from "#protocol/ids";
import { type BackgroundProcesses, createBackgroundProcesses } from "./background-processes";
import { createProcessTable } from "./process-table";
import { sweepMarked } from "./process-tree";
import { runTool } from "./run-tool";
import { createTerminal } from "./terminal";
import { makeToolFixture, type ToolFixture } from "./tool-fixture";
import type { Tool, ToolContext, ToolOutcome } from "./tool-port";

const AMBIENT = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/tmp", OPENAI_API_KEY: "sk-canary-7Q2", HERMES_WEBUI_PASSWORD: "canary-pass", AWS_REGION: "canary-region" };

let fixture: ToolFixture;
let processes: BackgroundProcesses;
let terminal: Tool;
beforeEach(async () => {
  fixture = await makeToolFixture();
  processes = createBackgroundProcesses({ create_id: createIdFactory(), now: () => 1000, ended: () => {} });
  terminal = createTerminal({ ambient: AMBIENT, processes, table: createProcessTable(process.platform) });
});
afterEach(async () => {
  await sweepMarked((mark) => mark.run_id === fixture.context.mark.run_id);
  await fixture.remove();
});

function run(command: string, more: Readonly<Record<string, unknown>> = {}, context: ToolContext = fixture.context): Promise<ToolOutcome> {
  return runTool(terminal, "terminal", { command, ...more }, context);
}

async function alive(): Promise<number> {
  const found = await sweepMarked((mark) => mark.run_id === fixture.context.mark.run_id);
  return found.processes;
}

describe("output and exit", () => {
  it("answers output and exit code, and streams both ways as they come", async () => {
    expect(await run("printf out; printf err >&2")).toEqual({ status: "ok", result: expect.stringMatching(/^(outerr|errout)$/), exit_code: 0 });
    expect([fixture.streamed("stdout"), fixture.streamed("stderr")]).toEqual(["out", "err"]);
    expect(await run("true")).toMatchObject({ status: "ok", result: "(no output)" });
  });

  it("tells a code, a signal and a time limit apart (B194)", async () => {
    expect(await run("echo x; exit 3")).toEqual({ status: "error", result: "x\n[exit code 3]", exit_code: 3 });
    expect(await run("kill -9 $$")).toMatchObject({ status: "error", exit_code: 137, result: "[ended by signal SIGKILL]" });
    const began = performance.now();
    const late = await run("echo part; sleep 60", { timeout_s: 0.5 });
    expect(late).toMatchObject({ status: "error", exit_code: null, result: expect.stringContaining("part\n[timed out after 0.5 s") });
    expect(performance.now() - began).toBeLessThan(4000);
    expect(await alive()).toBe(0);
  });

  it("keeps a character that comes in two writes whole (B190)", async () => {
    const outcome = await run(String.raw`printf '\xE4\xB8'; sleep 0.2; printf '\xAD'`);
    expect(outcome.result).toBe("中");
    expect(fixture.streamed("stdout")).toBe("中");
  });

  it("gives no input (B191)", async () => {
    const began = performance.now();
    expect(await run("cat; sh; bash -i 2>/dev/null; read x; echo $?")).toMatchObject({ result: "1\n" });
    expect(await run(`${JSON.stringify(process.execPath)}; echo $?`)).toMatchObject({ result: "0\n" });
    expect(performance.now() - began).toBeLessThan(3000);
  });

  it("has outputs that programs can open by name", async () => {
    expect(await run("echo a > /dev/stderr; echo b > /dev/stdout; echo c | tee /dev/stderr")).toMatchObject({ status: "ok" });
    expect(fixture.streamed("stderr")).toBe("a\nc\n");
  });

  it("does not wait for a grandchild that holds the output, and lets it live until its run ends (B193)", async () => {
    const began = performance.now();
    expect(await run("(sleep 60 &) ; echo hi")).toEqual({ status: "ok", result: "hi\n", exit_code: 0 });
    expect(performance.now() - began).toBeLessThan(2500);
    expect(await run("(sleep 0.7; echo $(echo late) >> later.txt) & echo hi")).toMatchObject({ result: "hi\n" });
    expect(await alive()).toBeGreaterThan(0);
    expect(await alive()).toBe(0);
  });

  it("keeps colours in what is streamed, not in what the model is told", async () => {
    expect((await run(String.raw`printf '\e[31mred\e[0m \e]8;;http://x\e\\link\e]8;;\e\\'`)).result).toBe("red link");
    expect(fixture.streamed("stdout")).toContain("\u001b[31mred");
  });
});

it("takes 300 MB in bounded memory and says how much it was (B185)", async () => {
  const before = process.memoryUsage().rss;
  let highest = before;
  const watch = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().rss);
  }, 20);
  const outcome = await run("yes | head -c 300000000");
  clearInterval(watch);
  expect(outcome).toMatchObject({ status: "ok", exit_code: 0, truncated: { total: 300_000_000 } });
  expect(outcome.result).toContain("300000000 bytes in all");
  expect(outcome.result.length).toBeLessThanOrEqual(50_000);
  expect(fixture.streamed("stdout").length).toBe(200_000);
  expect(highest - before).toBeLessThan(150 * 1024 * 1024);
});

it("ends what forks faster than it is looked for", async () => {
  const done = run("f() { while :; do (sleep 30 & sleep 0.01); f2 & sleep 0.02; done; }; f2() { sleep 20; }; f & f & echo READY; wait");
  await fixture.until((stdout) => stdout.includes("READY"));
  await run("sleep 0.3", {}, { ...fixture.context, signal: new AbortController().signal });
  fixture.abort();
  await done;
  expect(fixture.stops).toMatchObject([{ survivors: 0 }]);
  expect(await alive()).toBe(0);
});

it("takes binary output, and tells the model no control characters", async () => {
  const outcome = await run(String.raw`head -c 3000000 /dev/urandom; printf '\0\a\b'`);
  expect(outcome).toMatchObject({ status: "ok", exit_code: 0 });
  expect(outcome.result).not.toMatch(/(?![\t\n\r])\p{Cc}/u);
  expect(outcome.result).toContain("3000003 bytes in all");
});

it("waits for the receiver until it can take more", async () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const done = run("head -c 150000 /dev/zero | tr '\\0' a", {}, { ...fixture.context, drained: () => gate });
  await fixture.until((stdout) => stdout.length > 0);
  expect(fixture.streamed("stdout").length).toBeLessThan(150_000);
  open();
  expect(await done).toMatchObject({ status: "ok" });
  expect(fixture.streamed("stdout").length).toBe(150_000);
});

describe("stop", () => {
  it("ends what ignores INT and TERM, and keeps what it said (B037)", async () => {
    const done = run(`bash -c 'trap "" INT TERM; echo READY; while :; do sleep 300; done'`);
    await fixture.until((stdout) => stdout.includes("READY"));
    const began = performance.now();
    fixture.abort();
    expect(await done).toMatchObject({ status: "cancelled", result: "READY\n[stopped]", exit_code: null });
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(fixture.stops).toEqual([{ processes: expect.any(Number), survivors: 0 }]);
    expect(fixture.stops[0]?.processes).toBeGreaterThanOrEqual(1);
    expect(await alive()).toBe(0);
  });

  it.runIf(process.platform === "linux")("finds children that left group, session or environment", async () => {
    const done = run(`setsid sleep 301 & setsid env -i sleep 302 & (setsid sleep 303 >/dev/null 2>&1 </dev/null &) ; (sleep 304 &) ; echo READY; wait`);
    await fixture.until((stdout) => stdout.includes("READY"));
    fixture.abort();
    await done;
    expect(fixture.stops).toEqual([{ processes: 5, survivors: 0 }]);
    expect(await alive()).toBe(0);
  });

  it("leaves background processes of the same run alone", async () => {
    const started = await run("sleep 300", { background: true });
    expect(started).toMatchObject({ status: "ok", data: { process_id: expect.stringMatching(/^prc_/) } });
    const done = run("echo READY; sleep 300");
    await fixture.until((stdout) => stdout.includes("READY"));
    fixture.abort();
    await done;
    expect(processes.list(fixture.context.mark.session_id)).toMatchObject([{ status: "running" }]);
  });

  it("does not begin when it was stopped before", async () => {
    fixture.abort();
    expect(await run("touch ran")).toMatchObject({ status: "cancelled" });
    expect(await run("ls", {}, { ...fixture.context, signal: new AbortController().signal })).toMatchObject({ result: "(no output)" });
  });
});

describe("where it runs and what it sees", () => {
  it("shows a child nothing of ours (B205)", async () => {
    const outcome = await run("env; cat /proc/self/environ", {}, { ...fixture.context, child_env: { PROFILE_NAME: "mine", HERMES_SECRET: "canary-hermes" } });
    expect(outcome.result).not.toContain("canary");
    expect(outcome.result).toContain("PROFILE_NAME=mine");
    const names = (await run("env -u PWD -u SHLVL -u _ -u OLDPWD | cut -d= -f1 | sort | tr '\\n' ' '")).result;
    expect(names.trim().split(" ")).toEqual(["HERMES_CHILD_MARK", "HERMES_CHILD_TREE", "HOME", "LANG", "PATH", "TERM"]);
    const { run_id, session_id } = fixture.context.mark;
    expect((await run("echo $HERMES_CHILD_MARK")).result.trim()).toBe(`${run_id}:${session_id}`);
  });

  it("runs in the workspace and nowhere else", async () => {
    await mkdir(path.join(fixture.workspace, "sub"));
    await symlink(fixture.outside, path.join(fixture.workspace, "out"));
    expect((await run("pwd")).result.trim()).toBe(fixture.workspace);
    expect((await run("pwd", { cwd: "sub" })).result.trim()).toBe(path.join(fixture.workspace, "sub"));
    for (const cwd of ["..", "/", "out"]) expect(await run("pwd", { cwd }), cwd).toMatchObject({ status: "error", result: expect.stringContaining("outside_workspace") });
    expect(await run("pwd", { cwd: "none" })).toMatchObject({ status: "error", result: expect.stringContaining("not_found") });
    expect(await run("pwd", {}, { ...fixture.context, workspace: path.join(fixture.base, "gone") })).toMatchObject({ status: "error" });
  });

  it("refuses what it can't do, in words for the model", async () => {
    expect(await run(" ")).toMatchObject({ status: "error", result: expect.stringContaining("command") });
    expect(await run("x", { timeout_s: 601 })).toMatchObject({ status: "error", result: expect.stringContaining("timeout_s") });
    expect(await run(`: ${"中".repeat(60_000)}`)).toMatchObject({ status: "error", result: expect.stringContaining("could not be started") });
    expect(await run("no-such-program")).toMatchObject({ status: "error", exit_code: 127 });
  });
});
