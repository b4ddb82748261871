import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { processMark } from "../../lib/config/process-mark";
import { withSetUpLock } from "./lock.mjs";
import { runProgram } from "./run-program.mjs";
import { whyNodeIsTooOld } from "./set-up.mjs";

let directory;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "run-program-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const quiet = { timeoutMs: 10_000, show: false };

test("a program's end and output are answered, also when there is no such program", async () => {
  const good = await runProgram([process.execPath, "-e", "console.log('one'); console.error('two')"], { ...quiet, directory });
  expect(good).toMatchObject({ ok: true, code: 0, timedOut: false });
  expect(good.output).toMatch(/one\n[^]*two|two\n[^]*one/);
  expect(await runProgram([process.execPath, "-e", "process.exit(4)"], { ...quiet, directory })).toMatchObject({ ok: false, code: 4 });
  expect(await runProgram(["no-such-program"], { ...quiet, directory })).toMatchObject({ ok: false, code: null });
});

test("a program that takes too long ends with all that it started", async () => {
  const script = "sleep 600 & echo $! > helper; wait";
  const result = await runProgram(["sh", "-c", script], { directory, timeoutMs: 300, show: false });
  expect(result).toMatchObject({ ok: false, timedOut: true });
  const helper = Number(readFileSync(join(directory, "helper"), "utf8"));
  await vi.waitFor(() => expect(processMark(helper)).toBeNull(), { timeout: 5000 });
});

test("set-ups that want the same tree go one after the other", async () => {
  const { signal } = new AbortController();
  const path = join(directory, "cache/set-up.lock");
  const story = [];
  const work = (name) => async () => {
    story.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    story.push(`${name} ends`);
  };
  await Promise.all([withSetUpLock(signal, work("one"), path), withSetUpLock(signal, work("two"), path)]);
  expect(story).toEqual(["one begins", "one ends", "two begins", "two ends"]);
});

test.each([
  ["20.19.0", true],
  ["22.1.0", true],
  ["24.0.0", true],
  ["20.18.9", false],
  ["18.20.0", false],
])("Node.js %s is new enough: %s", (version, isEnough) => {
  expect(whyNodeIsTooOld(version) === null).toBe(isEnough);
});
