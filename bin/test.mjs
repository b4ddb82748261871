/**
 * `npm test`: everything that can be wrong with this tree, from types to the page in a browser. What
 * the parts tell goes to stderr; stdout is one line per part and, alone on the last line, the sum. All
 * parts run, whatever the earlier ones say.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChecks } from "./check/checks.mjs";
import { buildIsFresh, currentStamp } from "./set-up/build-stamp.mjs";
import { listenForInterruption } from "./set-up/interruption.mjs";
import { withSetUpLock } from "./set-up/lock.mjs";
import { inRoot, ROOT } from "./set-up/root.mjs";
import { runProgram } from "./set-up/run-program.mjs";
import { setUpToTest, whyNodeIsTooOld } from "./set-up/set-up.mjs";
import { countBrowserTests, countUnitTests } from "./test/counts.mjs";
import { findBrowser } from "./test/find-browser.mjs";
import { testEnvironment } from "./test/test-environment.mjs";

const UNIT_WITHIN_MS = 30 * 60_000;
const BUILD_WITHIN_MS = 20 * 60_000;
const BROWSER_WITHIN_MS = 60 * 60_000;

const interruption = listenForInterruption();
const { signal } = interruption;
const directory = mkdtempSync(join(tmpdir(), "hermes-webui-test-"));
try {
  process.exitCode = await testAll();
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function testAll() {
  const sum = { passed: 0, failed: 0 };
  const add = (name, { passed, failed, names }) => {
    sum.passed += passed;
    sum.failed += failed;
    console.log(`${name}: ${passed} passed, ${failed} failed`);
    for (const line of names) console.log(`  ✗ ${line}`);
  };
  // The kill trials among the unit tests need the build.
  const stages = { check, build, "unit and integration": unitTests, browser: browserTests };
  const tooOld = whyNodeIsTooOld();
  if (tooOld === null) {
    const ready = await guarded(() => setUpToTest(signal));
    if (ready !== null) add("set-up", { passed: 0, failed: 1, names: [ready] });
    else for (const [name, stage] of Object.entries(stages)) if (!signal.aborted) add(name, await runStage(stage));
  } else add("set-up", { passed: 0, failed: 1, names: [tooOld] });
  if (signal.aborted) add("interrupted", { passed: 0, failed: 1, names: [] });
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  return interruption.exitCode() || (sum.failed === 0 ? 0 : 1);
}

async function runStage(stage) {
  let counts = null;
  const problem = await guarded(async () => {
    counts = await stage();
  });
  return counts ?? { passed: 0, failed: 1, names: [problem] };
}

/** What went wrong, in one text, or null. */
async function guarded(act) {
  try {
    await act();
    return null;
  } catch (error) {
    return error.message;
  }
}

async function check() {
  const results = await runChecks(signal);
  for (const { ok, detail } of results) if (!ok) console.error(detail.trimEnd());
  const failed = results.filter(({ ok }) => !ok);
  return { passed: results.length - failed.length, failed: failed.length, names: failed.map(({ name }) => name) };
}

async function unitTests() {
  const report = join(directory, "unit.json");
  const words = ["run", "--passWithNoTests", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { ok } = await runTool("node_modules/vitest/vitest.mjs", words, UNIT_WITHIN_MS, null);
  return withExit(ok, countUnitTests(report));
}

async function build() {
  const stamp = currentStamp();
  let ok = buildIsFresh(stamp);
  if (!ok) {
    await withSetUpLock(signal, async () => {
      ok = buildIsFresh(stamp) || (await runTool("bin/build.mjs", [], BUILD_WITHIN_MS, null)).ok;
    });
  }
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, names: ok ? [] : ["build"] };
}

async function browserTests() {
  const browser = await findBrowser();
  if (browser === null) throw new Error("There is no Chromium; set CHROME_PATH to one.");
  console.error(`Browser: ${browser}`);
  const report = join(directory, "browser.json");
  const words = ["test", "--pass-with-no-tests", "--reporter=line,json"];
  const { ok } = await runTool("node_modules/@playwright/test/cli.js", words, BROWSER_WITHIN_MS, browser, { PLAYWRIGHT_JSON_OUTPUT_NAME: report });
  return withExit(ok, countBrowserTests(report));
}

/** A runner that failed although no test did (it crashed, or timed out) is a failure too. */
function withExit(ok, counts) {
  return ok || counts.failed > 0 ? counts : { ...counts, failed: 1, names: ["the test runner ended with a failure"] };
}

function runTool(program, words, timeoutMs, browser, more = {}) {
  return runProgram([process.execPath, inRoot(program), ...words], {
    directory: ROOT,
    environment: { ...testEnvironment(directory, browser), ...more },
    signal,
    timeoutMs,
    show: true,
  });
}
