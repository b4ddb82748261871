import { describe, expect, it } from "vitest";
import { eventId, parseCursor } from "./cursor";

describe("cursors (B003, B004)", () => {
  it.each([null, undefined, "", "0"])("%s means from the start", (text) => {
    expect(parseCursor(text, { bareSeq: true })).toEqual({ kind: "start" });
    expect(parseCursor(text, { bareSeq: false })).toEqual({ kind: "start" });
  });

  it("takes a bare seq on a run's stream only", () => {
    expect(parseCursor("9", { bareSeq: true })).toEqual({ kind: "seq", seq: 9 });
    expect(parseCursor("9", { bareSeq: false })).toEqual({ kind: "malformed" });
  });

  it("takes an event id of a run or of a session's log", () => {
    expect(parseCursor("run_01J:42", { bareSeq: true })).toEqual({ kind: "event", owner: "run_01J", seq: 42, text: "run_01J:42" });
    expect(parseCursor(eventId("ses_01J", 3), { bareSeq: false })).toMatchObject({ kind: "event", owner: "ses_01J", seq: 3 });
  });

  it.each(["abc", "-1", "1e3", "5.5", "run_1:5:6", "9".repeat(40), "9".repeat(65_536), "run_1:", ":5", "run_1:05", " 5", "5 ", "５", "msg_1:5", "run_1:-5"])(
    "%s is malformed, never an error and never a guess",
    (text) => {
      expect(parseCursor(text, { bareSeq: true })).toEqual({ kind: "malformed" });
    },
  );
});
