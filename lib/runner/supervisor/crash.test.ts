import { expect, test } from "vitest";
import type { ChildReport } from "#config/supervisor-status";
import type { CrashKind } from "#protocol/runner-health";
import { applyChildFact, CHILD_NOT_STARTED, type ChildFact } from "./child-report";
import { classifyCrash, type ProcessEnd } from "./crash";

const ready: ProcessEnd = { code: null, signal: null, wasReady: true, startTimedOut: false, output: "" };
const young: ProcessEnd = { ...ready, wasReady: false };

test.each<[CrashKind, ProcessEnd]>([
  ["exit", { ...ready, code: 1 }],
  ["exit", { ...ready, code: 0 }],
  ["signal", { ...ready, signal: "SIGKILL" }],
  ["signal", { ...young, signal: "SIGKILL" }],
  ["out_of_memory", { ...ready, signal: "SIGABRT", output: "FATAL ERROR: … JavaScript heap out of memory" }],
  ["port_taken", { ...young, code: 1, output: "Error: listen EADDRINUSE: address already in use" }],
  ["exit", { ...ready, code: 1, output: "a tool said EADDRINUSE an hour ago" }],
  ["failed_start", { ...young, code: 1 }],
  ["failed_start", { ...young, signal: "SIGKILL", startTimedOut: true }],
  ["gone", ready],
])("S3: a death of the kind %s is told from %o", (kind, end) => {
  const crash = classifyCrash("web", end);
  expect(crash.kind).toBe(kind);
  expect(crash.message).toMatch(/^The web process .*\.$/);
});

test("what the child wrote is not part of the message", () => {
  expect(classifyCrash("runner", { ...young, code: 1, output: "key sk-secret refused" }).message).not.toContain("sk-secret");
});

test("a child's story: started, ready, crashed, started again, stopped", () => {
  const crash = { kind: "signal", message: "The web process was ended by SIGKILL." } as const;
  const story: ChildFact[] = [
    { type: "started", pid: 11, adopted: false },
    { type: "answered" },
    { type: "crashed", crash },
    { type: "started", pid: 12, adopted: false },
    { type: "stop_asked" },
    { type: "answered" },
    { type: "ended" },
  ];
  const reports: ChildReport[] = [];
  for (const fact of story) reports.push(applyChildFact(reports.at(-1) ?? CHILD_NOT_STARTED, fact, reports.length + 1));
  expect(reports.map(({ state }) => state)).toEqual(["starting", "ready", "waiting", "starting", "stopping", "stopping", "stopped"]);
  expect(reports.map(({ pid }) => pid)).toEqual([11, 11, null, 12, 12, 12, null]);
  expect(reports.at(-1)).toMatchObject({ restarts: 1, last_crash: { ...crash, at: 3 }, since: 7 });
});

test("a fact that does not fit the state changes nothing, not even the reference", () => {
  const stopped = { ...CHILD_NOT_STARTED, since: 5 };
  for (const fact of [{ type: "answered" }, { type: "stop_asked" }, { type: "ended" }] as const) {
    expect(applyChildFact(stopped, fact, 9)).toBe(stopped);
  }
});
