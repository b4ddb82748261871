import { describe, expect, it } from "vitest";
import { foldRunAll } from "#fold/fold-run";
import { done, requested, story, token, toolDone, toolStarted } from "#fold/run-story.fixture";
import { turnOf } from "#fold/transcript";
import { bannerWords } from "./banner-words";
import { findMatches } from "./find-matches";

describe("the connection banner", () => {
  it("is only heard while all is well, or for so short a time that nothing is worth saying", () => {
    expect(bannerWords({ kind: "live" }, null, 0)).toEqual({ text: "Connected", quiet: true });
    expect(bannerWords({ kind: "connecting", quiet: true }, null, 0).quiet).toBe(true);
  });

  it("counts down to the next try and never below", () => {
    expect(bannerWords({ kind: "lost", retry_at: 14_000 }, null, 10).text).toBe("Connection lost. The agent goes on; trying again in 4 s.");
    expect(bannerWords({ kind: "lost", retry_at: 9_000 }, null, 10).text).toBe("Connection lost. The agent goes on; trying again now.");
    expect(bannerWords({ kind: "catching_up", count: 212 }, null, 0).text).toBe("Back again, catching up: 212 events.");
  });

  it("speaks for the runner only when the connection itself has nothing to say", () => {
    const trouble = { reason: "wrong_key", crash: null } as const;
    expect(bannerWords({ kind: "live" }, trouble, 0)).toEqual({ text: "The runner refuses this server's key. What you send is kept.", quiet: false });
    expect(bannerWords({ kind: "unauthorized" }, trouble, 0).text).toContain("logged out");
  });
});

describe("find in a session", () => {
  it("finds messages, answers and titles of calls, in reading order and by their rows", () => {
    const run = foldRunAll(null, story([token("An Echo of it"), requested(["call_1"]), toolStarted("call_1"), toolDone("call_1"), done()], { text: "say ECHO" }));
    const turns = [turnOf(run)];
    expect(findMatches(turns, " echo ").map((match) => match.row)).toEqual(["run_1:message", "seg_1", "call_1"]);
    expect(findMatches(turns, "nowhere")).toEqual([]);
    expect(findMatches(turns, "  ")).toEqual([]);
  });
});
