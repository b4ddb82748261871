import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claimPidFile, pidFilePath, readPidFile, removePidFile, writePidFile } from "./pid-file";
import { processMark } from "./process-mark";

describe("pid files", () => {
  let directory: string;
  let bystander: ChildProcess;
  let bystanderPid: number;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "pid-file-"));
    bystander = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
    bystanderPid = bystander.pid ?? 0;
  });
  afterEach(() => {
    bystander.kill("SIGKILL");
    rmSync(directory, { recursive: true });
  });

  test("what runs is written privately, read back, and removed by its own process only", () => {
    expect(claimPidFile(directory, "supervisor", "http://127.0.0.1:8787")).toEqual({ claimed: true });
    const path = pidFilePath(directory, "supervisor");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ pid: process.pid, url: "http://127.0.0.1:8787" });
    removePidFile(directory, "supervisor", bystanderPid);
    expect(readPidFile(directory, "supervisor")?.pid).toBe(process.pid);
    removePidFile(directory, "supervisor");
    expect(readdirSync(directory)).toEqual([]);
  });

  test("a second claim learns who holds it, and gets it once the holder is dead", async () => {
    expect(writePidFile(directory, "runner", "http://127.0.0.1:8788", bystanderPid)).toBe(true);
    const refused = claimPidFile(directory, "runner", "http://127.0.0.1:9000");
    expect(refused).toMatchObject({ claimed: false, holder: { pid: bystanderPid, url: "http://127.0.0.1:8788" } });
    bystander.kill("SIGKILL");
    await once(bystander, "exit");
    expect(readPidFile(directory, "runner")).toBeNull();
    expect(claimPidFile(directory, "runner", "http://127.0.0.1:9000")).toEqual({ claimed: true });
    expect(readPidFile(directory, "runner")?.url).toBe("http://127.0.0.1:9000");
  });

  test("a holder may claim again, with another address", () => {
    claimPidFile(directory, "runner", "http://127.0.0.1:1");
    expect(claimPidFile(directory, "runner", "http://127.0.0.1:2")).toEqual({ claimed: true });
    expect(readPidFile(directory, "runner")?.url).toBe("http://127.0.0.1:2");
  });

  test.each([
    ["empty", ""],
    ["garbage", "\u0000{{"],
    ["of another shape", `{"pid":"1"}`],
    ["of a pid that cannot be", `{"pid":-1,"started_at":1,"url":"http://x","start_mark":"a"}`],
  ])("a file that is %s blocks nothing", (_kind, text) => {
    writeFileSync(pidFilePath(directory, "supervisor"), text);
    expect(readPidFile(directory, "supervisor")).toBeNull();
    expect(claimPidFile(directory, "supervisor", "http://x")).toEqual({ claimed: true });
  });

  test("a live process that merely got the same number is not believed (B102)", () => {
    const record = { pid: bystanderPid, started_at: Date.now() / 1000, url: "http://127.0.0.1:8787" };
    for (const claim of [record, { ...record, start_mark: "earlier-boot:1" }]) {
      writeFileSync(pidFilePath(directory, "supervisor"), JSON.stringify(claim));
      expect(readPidFile(directory, "supervisor")).toBeNull();
    }
    expect(claimPidFile(directory, "supervisor", "http://x")).toEqual({ claimed: true });
  });

  test("a directory in the file's place blocks nothing", () => {
    mkdirSync(join(pidFilePath(directory, "web"), "inside"), { recursive: true });
    expect(claimPidFile(directory, "web", "http://x")).toEqual({ claimed: true });
    expect(existsSync(`${pidFilePath(directory, "web")}.${process.pid}.stale`)).toBe(false);
  });

  test("a dead process has no mark, a live one always the same", async () => {
    expect(processMark(bystanderPid)).toBe(processMark(bystanderPid));
    expect(processMark(bystanderPid)).not.toBe(processMark(process.pid));
    bystander.kill("SIGKILL");
    await once(bystander, "exit");
    expect(processMark(bystanderPid)).toBeNull();
    expect(writePidFile(directory, "web", "http://x", bystanderPid)).toBe(false);
  });
});
