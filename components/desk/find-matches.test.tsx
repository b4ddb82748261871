import { describe, expect, it } from "vitest";
import { foldRunAll } from "#fold/fold-run";
import { done, story, token } from "#fold/run-story.fixture";
import { turnOf } from "#fold/transcript";
import { earlierRuns, findFact, findMatches, placeOfMatch } from "./find-matches";

function turn(id: string, asked: string, said: string) {
  const view = foldRunAll(null, story([token(said), done()]));
  const message = { id: "msg_1", text: asked, attachments: [] };
  const parts = view.parts.map((part) => (part.type === "text" ? { ...part, segment_id: `seg_${id}` } : part));
  return turnOf({ ...view, run_id: id, message, parts });
}

const turns = [turn("run_3", "Where is the kite?", "In the shed."), turn("run_4", "And the other one?", "That KITE is lost.")];

describe("finding in a session", () => {
  it("finds words in messages and answers in reading order, the newest first in hand", () => {
    const matches = findMatches(turns, " kite ");
    expect(matches).toEqual([{ runId: "run_3", row: "run_3:message" }, { runId: "run_4", row: "seg_run_4" }]);
    expect(placeOfMatch(matches, null)).toBe(1);
    expect(placeOfMatch(matches, "run_3:message")).toBe(0);
    expect(placeOfMatch(matches, "gone")).toBe(1);
    expect(placeOfMatch([], "gone")).toBe(-1);
  });

  it("knows which of the turns that the server names are not loaded", () => {
    expect(earlierRuns(["run_4", "run_2", "run_1"], turns)).toEqual(["run_2", "run_1"]);
  });

  it("says how many there are, and nothing while it does not know", () => {
    expect(findFact({ words: "", index: -1, count: 0, earlier: null })).toBe("");
    expect(findFact({ words: "kite", index: 1, count: 2, earlier: null })).toBe("2 of 2");
    expect(findFact({ words: "kite", index: 0, count: 2, earlier: 3 })).toBe("1 of 2, 3 earlier");
    expect(findFact({ words: "kite", index: -1, count: 0, earlier: null })).toBe("");
    expect(findFact({ words: "kite", index: -1, count: 0, earlier: 3 })).toBe("3 earlier");
    expect(findFact({ words: "kite", index: -1, count: 0, earlier: 0 })).toBe("not found");
  });
});
