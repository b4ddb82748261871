import { describe, expect, it } from "vitest";
import { foldRunAll } from "#fold/fold-run";
import { approvalRequested, cancelled, done, failed, reasoning, requested, status, story, toolDone, token, toolStarted } from "#fold/run-story.fixture";
import { turnOf } from "#fold/transcript";
import type { RunEventBody } from "#protocol/events";
import { outcomeWords } from "./outcome-words";
import { rowsOfTurn, spaceAbove, type ViewMode } from "./transcript-rows";

function rows(bodies: readonly RunEventBody[], mode: ViewMode = "detailed", source?: string) {
  const view = foldRunAll(null, story(bodies, source === undefined ? {} : { source }));
  return rowsOfTurn(turnOf(view), mode);
}
const kinds = (bodies: readonly RunEventBody[], mode: ViewMode = "detailed") => rows(bodies, mode).map((row) => row.kind);

const WORK = [reasoning("hm"), requested(["call_1", "call_2"]), toolStarted("call_1"), toolDone("call_1"), toolStarted("call_2"), toolDone("call_2")];

describe("rows of a turn", () => {
  it("draws words, traces and the foot in the order of the journal", () => {
    expect(kinds([...WORK, token("All done."), done()])).toEqual(["message", "thinking", "tool", "tool", "words", "foot"]);
  });

  it("keeps each row's key while its state changes", () => {
    const before = rows([requested(["call_1"]), toolStarted("call_1"), token("par")]).map((row) => row.key);
    const after = rows([requested(["call_1"]), toolStarted("call_1"), token("par"), token("tial"), toolDone("call_1"), done()]).map((row) => row.key);
    expect(after).toEqual(before);
  });

  it("shows a waiting prompt in place of its call, and the call after it once answered", () => {
    const asked = [requested(["call_1", "call_2"]), approvalRequested("apr_1", "call_1"), approvalRequested("apr_2", "call_2")];
    expect(kinds(asked)).toEqual(["message", "approval", "approval", "foot"]);
    expect(kinds([...asked, status("awaiting_approval")])).toEqual(["message", "approval", "approval"]);
    const answered: RunEventBody = { type: "approval.resolved", payload: { approval_id: "apr_1", choice: "once", status: "approved", by: "user" } };
    const list = rows([...asked, answered, toolStarted("call_1")]);
    expect(list.map((row) => row.kind)).toEqual(["message", "approval", "tool", "approval", "foot"]);
    expect(list.map((row) => row.key)).toContain("apr_2");
  });

  it("folds neighbouring traces in the compact view and hides them in the answer view", () => {
    expect(kinds([...WORK, token("x"), ...[requested(["call_3"])], done()], "compact")).toEqual(["message", "steps", "words", "tool", "foot"]);
    expect(kinds([...WORK, token("x"), done()], "answer")).toEqual(["message", "worked", "words", "foot"]);
    expect(kinds([requested(["call_1"]), approvalRequested("apr_1", "call_1")], "answer")).toEqual(["message", "worked", "approval", "foot"]);
  });

  it("ends with one outcome row and no error row beside it (B227)", () => {
    expect(kinds([token("half"), failed("provider_unreachable")])).toEqual(["message", "words", "outcome", "foot"]);
    expect(kinds([reasoning("only thoughts"), cancelled()])).toEqual(["message", "thinking", "outcome", "foot"]);
    expect(kinds([token("full answer"), done()])).toEqual(["message", "words", "foot"]);
  });

  it("parts turns by 32 px, traces from words by 8 and words from traces by 16", () => {
    const list = rows([token("first"), ...WORK, token("then", "seg_2"), done()]);
    const spaces = list.map((row, index) => spaceAbove(row, list[index - 1] ?? null) * 4);
    expect(spaces).toEqual([0, 20, 8, 0, 0, 16, 8]);
    const [next] = list;
    expect(next === undefined ? null : spaceAbove(next, list.at(-1) ?? null) * 4).toBe(32);
  });
});

describe("how a turn ended", () => {
  it("says what was stopped and what is left", () => {
    const words = outcomeWords({ kind: "stopped", after_s: 48, processes: 3, survivors: 0, reason: "user" });
    expect([words.title, words.fact, words.action, words.failed]).toEqual([
      "Stopped by you after 48 s",
      "3 processes were running, none is left.",
      "goOn",
      false,
    ]);
    expect(outcomeWords({ kind: "stopped", after_s: 2, processes: 0, survivors: 0, reason: "user" }).fact).toBeNull();
    const other = outcomeWords({ kind: "stopped", after_s: 2, processes: 0, survivors: 0, reason: "Interrupted by the next message." });
    expect([other.title, other.fact]).toEqual(["Stopped after 2 s", "Interrupted by the next message."]);
  });

  it("names a failure by its code and keeps the provider's sentence", () => {
    const words = outcomeWords({ kind: "failed", code: "provider_auth", message: "juniper-large asks for another one.", retryable: false });
    expect([words.title, words.fact, words.action]).toEqual(["The key was not accepted", "juniper-large asks for another one.", "openKeys"]);
    expect(outcomeWords({ kind: "failed", code: "from.tomorrow", message: "", retryable: false }).title).toBe("The turn failed");
  });
});
