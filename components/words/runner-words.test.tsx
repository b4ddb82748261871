import { expect, it } from "vitest";
import { CRASH_KINDS, RUNNER_FAULT_REASONS } from "#protocol/runner-health";
import { runnerWords } from "./runner-words";

it("each reason and each way to die has words of its own", () => {
  const words = [
    ...RUNNER_FAULT_REASONS.map((reason) => runnerWords({ reason, crash: null })),
    ...CRASH_KINDS.map((crash) => runnerWords({ reason: "crashed", crash })),
    runnerWords({ reason: null, crash: null }),
  ];
  expect(new Set(words).size).toBe(words.length);
  expect(runnerWords({ reason: "crashed", crash: "out_of_memory" })).toBe("The runner ran out of memory and is started again.");
});

it("a crash of a runner that is there again is not what is wrong with it", () => {
  expect(runnerWords({ reason: "draining", crash: "signal" })).toBe("The runner is shutting down and takes nothing new.");
});
