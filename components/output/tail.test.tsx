import { describe, expect, it } from "vitest";
import { tailOf } from "./tail";

describe("the tail of an output", () => {
  it("shows the last lines and counts those before", () => {
    expect(tailOf("1\n2\n3\n4\n", 2)).toEqual({ text: "3\n4\n", hidden: 2 });
    expect(tailOf("1\n2\n3\n4", 2)).toEqual({ text: "3\n4", hidden: 2 });
    expect(tailOf("1\n2", 2)).toEqual({ text: "1\n2", hidden: 0 });
    expect(tailOf("\n\n\nx", 2)).toEqual({ text: "\nx", hidden: 2 });
    expect(tailOf("", 10)).toEqual({ text: "", hidden: 0 });
  });
});
