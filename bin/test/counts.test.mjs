import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { countBrowserTests, countUnitTests } from "./counts.mjs";

let directory;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "counts-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function report(content) {
  const path = join(directory, "report.json");
  writeFileSync(path, JSON.stringify(content));
  return path;
}

test("unit tests: each failed test counts, and each file that could not be loaded", () => {
  const path = report({
    numPassedTests: 3,
    testResults: [
      { name: "a.test.ts", status: "failed", assertionResults: [{ status: "passed" }, { status: "failed", fullName: "a breaks" }] },
      { name: "b.test.ts", status: "failed", assertionResults: [] },
      { name: "c.test.ts", status: "passed", assertionResults: [{ status: "passed" }] },
    ],
  });
  expect(countUnitTests(path)).toEqual({ passed: 3, failed: 2, names: ["a breaks", "b.test.ts"] });
});

test("browser tests: failed and flaky ones count, and errors outside any test", () => {
  const path = report({
    stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 },
    errors: [{ message: "no browser" }],
    suites: [{ title: "chat.spec.ts", specs: [{ title: "sends", ok: true }], suites: [{ title: "stop", specs: [{ title: "stops", ok: false }] }] }],
  });
  expect(countBrowserTests(path)).toEqual({ passed: 5, failed: 3, names: ["stop: stops", "no browser"] });
});

test("a report that is missing is a failure, never a silent nothing", () => {
  expect(countUnitTests(join(directory, "none.json")).failed).toBe(1);
  expect(countBrowserTests(join(directory, "none.json")).failed).toBe(1);
});
