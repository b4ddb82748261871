import { describe, expect, it } from "vitest";
import { ACTIVE_STATUSES, CONTROLS_BY_STATUS, isActive, LIFECYCLE, LIFECYCLE_MOVES, runStatusSchema, TERMINAL_STATUSES } from "./status";
import type { LifecycleMove } from "./status";

const TERMINAL_MOVES: readonly LifecycleMove[] = ["done", "cancelled", "error", "expire"];

describe("the lifecycle table", () => {
  it("has a cell for every status and move", () => {
    for (const status of runStatusSchema.options) {
      expect(Object.keys(LIFECYCLE[status]).sort()).toEqual([...LIFECYCLE_MOVES].sort());
    }
  });

  it("J3: lets nothing happen after a terminal status", () => {
    for (const status of TERMINAL_STATUSES) {
      for (const move of LIFECYCLE_MOVES) expect(LIFECYCLE[status][move]).toBe("refused");
      expect(CONTROLS_BY_STATUS[status]).toEqual([]);
    }
  });

  it("H2: every active status can end, and ends in a terminal one", () => {
    for (const status of ACTIVE_STATUSES) {
      const ends = TERMINAL_MOVES.map((move) => LIFECYCLE[status][move]).filter((next) => next !== "refused");
      expect(ends.length).toBeGreaterThanOrEqual(2);
      for (const next of ends) expect(isActive(next)).toBe(false);
    }
  });

  it("completes only from running: a run that waits, stops or has not begun has no answer to give", () => {
    const completing = runStatusSchema.options.filter((status) => LIFECYCLE[status].done !== "refused");
    expect(completing).toEqual(["running"]);
  });

  it("H4: cancelling leads only to an end", () => {
    const next = new Set(LIFECYCLE_MOVES.map((move) => LIFECYCLE.cancelling[move]));
    expect(next).toEqual(new Set(["refused", "cancelling", "cancelled", "failed"]));
  });

  it("offers cancel exactly while it can be taken", () => {
    for (const status of runStatusSchema.options) {
      expect(CONTROLS_BY_STATUS[status].includes("cancel")).toBe(LIFECYCLE[status].to_cancelling !== "refused");
    }
  });
});
