import { describe, expect, it } from "vitest";
import type { Goal } from "#protocol/session-shapes";
import { fileMarks } from "./file-marks";
import { foundFiles, foundWords, splitAtMatch } from "./found-files";
import { goalWords } from "./goal-words";

const goal: Goal = { goal: "All pass", status: "active", turns_used: 3, max_turns: 20, last_verdict: "continue", last_reason: "The folder still holds files." };

describe("a goal in words", () => {
  it("says which turn it is and what is missing", () => {
    expect(goalWords(goal)).toEqual({ title: "Goal", fact: "turn 3 of 20", verdict: "Not yet: the folder still holds files.", share: 0.15 });
    expect(goalWords({ ...goal, turns_used: 0, last_reason: null })).toMatchObject({ fact: "first turn of 20", verdict: null });
  });

  it("says who paused it, and counts turns when it is reached", () => {
    expect(goalWords({ ...goal, status: "paused", last_reason: "Paused by you." }).fact).toBe("paused, turn 3 of 20");
    expect(goalWords({ ...goal, status: "done", turns_used: 6, last_reason: "20 of 20 passed." })).toEqual({
      title: "Goal reached",
      fact: "6 turns",
      verdict: "20 of 20 passed.",
      share: null,
    });
  });
});

describe("marks in the file tree", () => {
  it("stand at files and count new ones at their folders", () => {
    const file = (path: string, kind: "created" | "changed" | "deleted") => ({ path, kind, added: 1, removed: 0, tool_call_id: "call_1" });
    const marks = fileMarks([file("src/a/new.ts", "created"), file("src/b.ts", "changed"), file("src/gone.ts", "deleted"), file("src/c.ts", "created")]);
    expect([...marks]).toEqual([
      ["src/a/new.ts", "new"],
      ["src/b.ts", "changed"],
      ["src/c.ts", "new"],
      ["src/a", "1 new"],
      ["src", "2 new"],
    ]);
  });
});

describe("what a search in the files found", () => {
  const places = [
    { path: "src/b.ts", type: "file", line: 3, text: "  const Retry = 1;" },
    { path: "src/b.ts", type: "file", line: 9, text: "retry()" },
    { path: "src/retry.ts", type: "file", line: 1, text: "// retry" },
    { path: "src/retry.ts", type: "file", line: null, text: "retry.ts" },
    { path: "retry", type: "dir", line: null, text: "retry" },
  ];

  it("is each file once, those with the name first, with its lines", () => {
    const files = foundFiles(places);
    expect(files).toEqual([
      { path: "src/retry.ts", isFolder: false, lines: [{ line: 1, text: "// retry" }] },
      { path: "retry", isFolder: true, lines: [] },
      { path: "src/b.ts", isFolder: false, lines: [{ line: 3, text: "const Retry = 1;" }, { line: 9, text: "retry()" }] },
    ]);
    expect(foundWords(files, false)).toBe("3 lines in 2 files, 1 name");
    expect(foundWords(files, true)).toBe("3 lines in 2 files, 1 name, and there is more");
    expect(foundWords([], false)).toBe("Nothing found");
  });

  it("is marked where the words stand, whatever their case", () => {
    expect(splitAtMatch("const Retry = 1;", " retry ")).toEqual(["const ", "Retry", " = 1;"]);
    expect(splitAtMatch("const a = 1;", "retry")).toBeNull();
    expect(splitAtMatch("a", "  ")).toBeNull();
  });
});
