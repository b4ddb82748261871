import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIdFactory } from "#protocol/ids";
import { type BackgroundEnd, type BackgroundProcesses, createBackgroundProcesses } from "./background-processes";
import { createProcess } from "./process";
import { createProcessTable, parsePsLine, parseStat } from "./process-table";
import { sweepMarked } from "./process-tree";
import { runTool } from "./run-tool";
import { createTerminal } from "./terminal";
import { makeToolFixture, type ToolFixture } from "./tool-fixture";

const createId = createIdFactory();
const AMBIENT = { PATH: "/usr/local/bin:/usr/bin:/bin" };

let fixture: ToolFixture;
let processes: BackgroundProcesses;
let ends: BackgroundEnd[];
let onEnd: () => void;
beforeEach(async () => {
  fixture = await makeToolFixture();
  ends = [];
  onEnd = () => {};
  const ended = (end: BackgroundEnd) => {
    ends.push(end);
    onEnd();
  };
  processes = createBackgroundProcesses({ create_id: createId, now: () => 1000, ended });
});
afterEach(async () => {
  await processes.stopAll();
  await fixture.remove();
});

async function start(command: string, session = fixture.context.mark.session_id): Promise<string> {
  const mark = { ...fixture.context.mark, session_id: session };
  const started = await processes.start({ command, cwd: fixture.workspace, mark, ambient: AMBIENT, child_env: {} });
  if (started.kind === "failed") throw new Error(started.message);
  return started.process.process_id;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("P2 background processes", () => {
  it("tell their end once, with the last of their output", async () => {
    const told = new Promise<void>((resolve) => {
      onEnd = resolve;
    });
    const id = await start("echo almost; echo done >&2; exit 4");
    await told;
    expect(ends).toMatchObject([{ process_id: id, session_id: fixture.context.mark.session_id, exit_code: 4, status: "ended", ended_at: 1000 }]);
    expect(ends[0]?.message).toMatch(/ended with exit code 4\.\nThe last of its output:\n(almost\ndone|done\nalmost)$/);
    expect(processes.list(fixture.context.mark.session_id)).toMatchObject([{ process_id: id, status: "ended" }]);
  });

  it("keep a rolling log, and end with their tree when stopped, untold", async () => {
    const { session_id } = fixture.context.mark;
    const id = await start("seq 1 100000; setsid sleep 300 & echo READY; wait");
    await until(() => processes.log(session_id, id)?.text.includes("READY") === true);
    const log = processes.log(session_id, id);
    expect(log?.text.length).toBe(200_000);
    expect(log?.total).toBe(588_895 + "READY\n".length);
    expect(await processes.stop(session_id, id)).toEqual({ processes: 3 - 1, survivors: 0 });
    expect(await processes.stop(session_id, id)).toBeNull();
    expect(processes.list(session_id)).toMatchObject([{ status: "stopped" }]);
    expect(ends).toEqual([]);
  });

  it("belong to their session alone, and end with it", async () => {
    const [mine, other] = [createId("ses"), createId("ses")];
    const id = await start("sleep 300", mine);
    await start("sleep 300", other);
    expect(processes.log(other, id)).toBeNull();
    expect(await processes.stop(other, id)).toBeNull();
    expect(await processes.stopSession(mine)).toEqual({ processes: 1, survivors: 0 });
    expect(processes.list(mine)).toEqual([]);
    expect(processes.list(other)).toMatchObject([{ status: "running" }]);
  });

  it.runIf(process.platform === "linux")("leave nothing behind in their session, even what outlived them", async () => {
    const { session_id } = fixture.context.mark;
    const told = new Promise<void>((resolve) => {
      onEnd = resolve;
    });
    await start("(setsid sleep 300 >/dev/null 2>&1 &)");
    await told;
    expect((await processes.stopSession(session_id)).processes).toBe(1);
    expect(await sweepMarked((mark) => mark.session_id === session_id)).toEqual({ processes: 0, survivors: 0 });
  });

  it("are 64 at most; ended ones give way", async () => {
    const ids = await Promise.all(Array.from({ length: 64 }, (_, index) => start(index === 0 ? "exit 0" : "exec sleep 300")));
    await until(() => ends.length === 1);
    expect(await start("exec sleep 300")).toMatch(/^prc_/);
    expect(processes.list(fixture.context.mark.session_id).some(({ process_id }) => process_id === ids[0])).toBe(false);
    await expect(start("sleep 1")).rejects.toThrow("64 background processes");
    expect((await processes.stopAll()).survivors).toBe(0);
  });
});

it("the process tool lists, shows and ends what terminal began", async () => {
  const terminal = createTerminal({ ambient: AMBIENT, processes, table: createProcessTable(process.platform) });
  const tool = createProcess(processes);
  const call = (given: unknown) => runTool(tool, "process", given, fixture.context);
  expect(await call({ action: "list" })).toMatchObject({ status: "ok", result: "There are no background processes." });
  await runTool(terminal, "terminal", { command: "printf '\\e[1mup\\e[0m'; sleep 300", background: true }, fixture.context);
  const [running] = processes.list(fixture.context.mark.session_id);
  const process_id = running?.process_id ?? "";
  await until(() => (processes.log(fixture.context.mark.session_id, process_id)?.total ?? 0) > 0);
  expect((await call({ action: "list" })).result).toContain(`${process_id}  running  printf`);
  expect((await call({ action: "log", process_id })).result).toBe("up");
  expect(await call({ action: "kill", process_id })).toMatchObject({ status: "ok" });
  expect(await call({ action: "kill", process_id })).toMatchObject({ status: "error", result: expect.stringContaining("not running any more") });
  expect(await call({ action: "log", process_id: "prc_none" })).toMatchObject({ status: "error" });
  expect(await call({ action: "kill" })).toMatchObject({ status: "error", result: expect.stringContaining("process_id") });
});

describe("the process table", () => {
  it("reads a stat line whatever the name of the program", () => {
    const rest = "S 1 2 3 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4711 0";
    expect(parseStat(`42 (a) b) ${rest}`)).toEqual({ row: { pid: 42, parent: 1, group: 2, session: 3, started: 4711 }, zombie: false });
    expect(parseStat("42 (x) Z 1 2 3 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4711 0")?.zombie).toBe(true);
    expect(parseStat("")).toBeNull();
  });

  it("reads a line of ps", () => {
    expect(parsePsLine("  42     1    42 Ss   Mon Dec  1 14:33:00 2025")).toMatchObject({ pid: 42, parent: 1, group: 42 });
    expect(parsePsLine("  42     1    42 Z+   Mon Dec  1 14:33:00 2025")).toBeNull();
    expect(parsePsLine("")).toBeNull();
  });

  it("sees this process both ways", async () => {
    for (const platform of ["linux", "darwin"] as const) {
      if (platform === "linux" && process.platform !== "linux") continue;
      const rows = await createProcessTable(platform).rows();
      expect(rows.find(({ pid }) => pid === process.pid), platform).toMatchObject({ parent: process.ppid });
    }
  });

  it("without traces a tree is still ended by group and parents", async () => {
    const table = createProcessTable("darwin");
    const terminal = createTerminal({ ambient: AMBIENT, processes, table });
    const done = runTool(terminal, "terminal", { command: "sleep 300 & (sleep 301 & echo READY; wait; true) & wait" }, fixture.context);
    await fixture.until((stdout) => stdout.includes("READY"));
    fixture.abort();
    expect((await done).status).toBe("cancelled");
    expect(fixture.stops).toEqual([{ processes: 4, survivors: 0 }]);
  });
});
