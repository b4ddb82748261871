import { describe, expect, it } from "vitest";
import { visiblePieces, visibleText } from "./visible-text";

describe("a command as it will run (B067)", () => {
  it("writes out what hides or reorders", () => {
    expect(visibleText("rm \u200bx\u202ey\u2066z")).toBe("rm \\u200bx\\u202ey\\u2066z");
    expect(visibleText("a\u001b[2Kb\rc\u00a0d")).toBe("a\\e[2Kb\\rc\\u00a0d");
    expect(visibleText("\u{e0041}")).toBe("\\u{e0041}");
  });

  it("leaves everything that can be seen", () => {
    const text = "```\n<b>x</b>\techo 'ä 漢 🧪' && ls\n```";
    expect(visibleText(text)).toBe(text);
    expect(visiblePieces(text)).toEqual([{ text, escaped: false }]);
  });

  it("marks what was written out", () => {
    expect(visiblePieces("a\u200bb")).toEqual([
      { text: "a", escaped: false },
      { text: "\\u200b", escaped: true },
      { text: "b", escaped: false },
    ]);
  });
});
