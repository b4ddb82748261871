import { describe, expect, it } from "vitest";
import type { Question } from "#protocol/event-values";
import type { PartOf } from "#protocol/run-view";
import { reasonWords, settledApproval, settledQuestion } from "./prompt-words";
import { answersOf, EMPTY_DRAFT, ownWords, toggleChoice, writeWords } from "./question-answers";

const one: Question = { id: "q1", question: "Where?", choices: ["here", "there"], multi_select: false, allow_free_text: true };
const many: Question = { id: "q2", question: "Which?", choices: ["a", "b", "c"], multi_select: true, allow_free_text: true };

describe("answering a question", () => {
  it("lets own words stand in place of one choice and beside several", () => {
    const chosen = toggleChoice(one, EMPTY_DRAFT, "there");
    expect(writeWords(one, chosen, "elsewhere")).toEqual({ chosen: [], words: "elsewhere" });
    expect(toggleChoice(one, { chosen: [], words: "elsewhere" }, "here")).toEqual({ chosen: ["here"], words: "" });
    const several = toggleChoice(many, toggleChoice(many, EMPTY_DRAFT, "c"), "a");
    expect(several.chosen).toEqual(["a", "c"]);
    expect(answersOf([one, many], { q1: chosen, q2: writeWords(many, several, "blå 🧪") })).toEqual({ q1: "there", q2: ["a", "c", "blå 🧪"] });
  });

  it("has no answer until something is chosen, and leaves out what was not answered", () => {
    expect(answersOf([one, many], {})).toBeNull();
    expect(answersOf([one], { q1: { chosen: [], words: "  " } })).toBeNull();
    expect(answersOf([one, many], { q1: { chosen: ["here"], words: "" } })).toEqual({ q1: "here" });
    expect(ownWords({ q1: { chosen: [], words: " x " }, q2: { chosen: ["a"], words: "" } })).toBe("x");
  });
});

const approval: PartOf<"approval"> = {
  type: "approval",
  approval_id: "apr_1",
  tool_call_id: "call_1",
  summary: "Delete",
  command: "rm -r x",
  cwd: "/w",
  risk: { level: "high", reasons: [], pattern_keys: [] },
  choices: ["once", "deny"],
  expires_at: null,
  status: "approved",
  choice: "once",
  by: "user",
  resolved_at: new Date("2026-03-12T14:06:00").getTime() / 1000,
};

describe("what stays of a prompt", () => {
  it("is one line that says who decided, what and when", () => {
    expect(settledApproval(approval).text).toBe("You approved it once at 14:06");
    expect(settledApproval({ ...approval, choice: "always" }).text).toBe("You approved it for good at 14:06");
    expect(settledApproval({ ...approval, status: "denied", choice: "deny" }).text).toBe("You denied it at 14:06");
    expect(settledApproval({ ...approval, status: "expired", choice: null }).text).toBe("Not run: nobody answered in time");
    expect(settledApproval({ ...approval, by: "yolo" }).text).toBe("Approved without asking at 14:06");
  });

  it("quotes the answer", () => {
    const part: PartOf<"clarify"> = {
      type: "clarify",
      clarify_id: "clr_1",
      tool_call_id: "call_1",
      questions: [one, many],
      expires_at: null,
      status: "answered",
      answers: { q1: "here", q2: ["a", "b"] },
      resolved_at: 1,
    };
    expect(settledQuestion(part)).toEqual({ done: true, text: "You answered", quote: "here; a, b" });
  });

  it("writes reasons as sentences", () => {
    expect(reasonWords(["deletes a folder", "runs as root.", ""])).toBe("Deletes a folder. Runs as root.");
  });
});
