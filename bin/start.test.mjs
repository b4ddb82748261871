/**
 * `npm start` on trees of its own: the real `bin`, with a build that takes a moment and a supervisor
 * that only says what it was told, so that the set-up is seen alone.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { processMark } from "../lib/config/process-mark";

const BUILD = `
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { currentStamp, recordBuild } from "./set-up/build-stamp.mjs";
import { inRoot } from "./set-up/root.mjs";
appendFileSync(inRoot("builds"), process.pid + "\\n");
const slow = process.env.SLOW_BUILD === "1";
if (slow) await new Promise((resolve) => setTimeout(resolve, 60_000));
if (process.env.BROKEN_BUILD === "1") process.exit(3);
for (const folder of [".next", "dist"]) mkdirSync(inRoot(folder), { recursive: true });
writeFileSync(inRoot(".next/BUILD_ID"), "x");
writeFileSync(inRoot("dist/supervisor.mjs"), ${JSON.stringify(`
export const runningUrl = () => process.env.RUNNING_URL ?? null;
export const preflight = async ({ words, print }) => words.includes("--status") ? (print("status"), { done: true, exitCode: 0 }) : { done: false };
export const supervise = async ({ words, print }) => (print("Started " + words.join(" ")), 0);
`)});
recordBuild(currentStamp());
`;

const CHECK_SETTINGS = `if (process.env.WRONG_SETTING === "1") { console.log("HERMES_X must be right."); process.exitCode = 1; }\n`;

let root;
let running;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "start-"));
  running = [];
  cpSync(import.meta.dirname, join(root, "bin"), { recursive: true });
  writeFileSync(join(root, "bin/build.mjs"), BUILD);
  writeFileSync(join(root, "bin/check-settings.mjs"), CHECK_SETTINGS);
  mkdirSync(join(root, "lib"));
  writeFileSync(join(root, "lib/source.ts"), "export const value = 1;\n");
  const lock = { name: "tree", version: "1.0.0", lockfileVersion: 3, packages: { "": { name: "tree", version: "1.0.0" } } };
  writeFileSync(join(root, "package.json"), JSON.stringify({ name: "tree", version: "1.0.0" }));
  writeFileSync(join(root, "package-lock.json"), JSON.stringify(lock));
  mkdirSync(join(root, "node_modules"));
  writeFileSync(join(root, "node_modules/.package-lock.json"), JSON.stringify(lock));
});
afterEach(async () => {
  for (const one of running) one.child.kill("SIGKILL");
  rmSync(root, { recursive: true });
});

function begin(words = [], environment = {}) {
  const child = spawn(process.execPath, [join(root, "bin/start.mjs"), ...words], {
    env: { PATH: process.env.PATH, HOME: root, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const one = { child, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (piece) => (one.stdout += piece));
  child.stderr.setEncoding("utf8").on("data", (piece) => (one.stderr += piece));
  one.ended = once(child, "close").then(() => ({ code: child.exitCode, stdout: one.stdout, stderr: one.stderr }));
  running.push(one);
  return one;
}

const start = (words, environment) => begin(words, environment).ended;

function builds() {
  return existsSync(join(root, "builds")) ? readFileSync(join(root, "builds"), "utf8").trim().split("\n") : [];
}

describe("a start", () => {
  test("builds once, then hands over with the options; the next one finds everything fresh", async () => {
    expect(await start(["--port", "9"])).toMatchObject({ code: 0, stdout: "Started --port 9\n" });
    expect(await start(["--open"])).toMatchObject({ code: 0, stdout: "Started --open\n", stderr: "" });
    expect(builds()).toHaveLength(1);
  });

  test.each([
    ["a changed source", () => writeFileSync(join(root, "lib/source.ts"), "export const value = 2;\n"), {}],
    ["a new source", () => writeFileSync(join(root, "lib/other.ts"), ""), {}],
    ["a removed source", () => rmSync(join(root, "lib/source.ts")), {}],
    ["another path prefix", () => undefined, { HERMES_WEBUI_BASE_PATH: "/desk" }],
    ["a build that did not end", () => rmSync(join(root, "dist/build.json")), {}],
  ])("%s makes the build stale", async (_what, change, environment) => {
    await start();
    change();
    await start([], environment);
    expect(builds()).toHaveLength(2);
  });

  test("a changed test does not", async () => {
    await start();
    writeFileSync(join(root, "lib/source.test.ts"), "");
    await start([], { NODE_ENV: "production" });
    expect(builds()).toHaveLength(1);
  });

  test("installs what the lock file says when node_modules is missing, from an empty home and offline", async () => {
    rmSync(join(root, "node_modules"), { recursive: true });
    const { code, stdout, stderr } = await start([], { HOME: "", NODE_ENV: "production", npm_config_offline: "true" });
    expect(stderr).toContain("Installing dependencies");
    expect([code, stdout]).toEqual([0, "Started \n"]);
  });

  test("two at once build once", async () => {
    const both = await Promise.all([start(), start()]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(builds()).toHaveLength(1);
  });
});

describe("a start that cannot be", () => {
  test("a build that fails ends it with one line more", async () => {
    const { code, stderr, stdout } = await start([], { BROKEN_BUILD: "1" });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.trimEnd().split("\n").at(-1)).toBe("The build failed (code 3).");
  });

  test("a taken port is found out before anything is built", async () => {
    const server = createServer();
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address();
    const { code, stderr } = await start(["--port", String(port)]);
    expect([code, stderr]).toEqual([1, `Port ${port} is taken; choose another with --port.\n`]);
    expect(builds()).toEqual([]);
    await new Promise((resolve) => server.close(resolve));
  });

  test("TERM during the build takes the build along", async () => {
    const one = begin([], { SLOW_BUILD: "1" });
    await vi.waitFor(() => expect(builds()).toHaveLength(1), { timeout: 10_000 });
    one.child.kill("SIGTERM");
    expect((await one.ended).code).toBe(143);
    await vi.waitFor(() => expect(processMark(Number(builds()[0]))).toBeNull(), { timeout: 5000 });
    expect(existsSync(join(root, ".cache/set-up.lock"))).toBe(false);
  });
});

describe("what needs no set-up", () => {
  test("a wrong setting is said in one line, and nothing is built for it", async () => {
    expect(await start([], { WRONG_SETTING: "1" })).toMatchObject({ code: 1, stdout: "", stderr: "HERMES_X must be right.\n" });
    expect(builds()).toEqual([]);
  });

  test("a question, on a tree that was never built and on a stale one", async () => {
    expect(await start(["--status"])).toMatchObject({ code: 3, stdout: "Not running\n" });
    await start();
    writeFileSync(join(root, "lib/source.ts"), "changed");
    expect(await start(["--status"])).toMatchObject({ code: 0, stdout: "status\n" });
    expect(builds()).toHaveLength(1);
  });

  test("what runs already is not built anew under its feet", async () => {
    await start();
    writeFileSync(join(root, "lib/source.ts"), "changed");
    expect(await start([], { RUNNING_URL: "http://127.0.0.1:1" })).toMatchObject({ code: 0, stdout: "Already running on http://127.0.0.1:1\n" });
    expect(builds()).toHaveLength(1);
  });
});
