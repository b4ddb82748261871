/** How many tests passed and failed, from the reports of the test runners. */
import { readFileSync } from "node:fs";

/** A report of vitest; a file that could not even be loaded counts as one failure. */
export function countUnitTests(path) {
  const report = readReport(path);
  if (report === null) return { passed: 0, failed: 1, names: ["the unit tests gave no report"] };
  const broken = report.testResults.filter(({ status, assertionResults }) => status === "failed" && assertionResults.every((test) => test.status !== "failed"));
  const failed = report.testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === "failed"));
  return {
    passed: report.numPassedTests,
    failed: failed.length + broken.length,
    names: [...failed.map(({ fullName }) => fullName), ...broken.map(({ name }) => name)],
  };
}

/** A report of Playwright; whatever went wrong outside a test counts as one failure each. */
export function countBrowserTests(path) {
  const report = readReport(path);
  if (report === null) return { passed: 0, failed: 1, names: ["the browser tests gave no report"] };
  const { expected, unexpected, flaky } = report.stats;
  const names = report.suites.flatMap(failedSpecs);
  return { passed: expected, failed: unexpected + flaky + report.errors.length, names: [...names, ...report.errors.map(({ message }) => message)] };
}

function failedSpecs(suite) {
  const own = (suite.specs ?? []).filter(({ ok }) => !ok).map(({ title }) => `${suite.title}: ${title}`);
  return [...own, ...(suite.suites ?? []).flatMap(failedSpecs)];
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}
