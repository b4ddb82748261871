import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeInvisible } from "./visible";

describe("the command as it is shown", () => {
  it.each([
    ["a\u200Bb", "a\\u{200B}b"],
    ["rm \u202Etxt", "rm \\u{202E}txt"],
    ["\u2066x\u2069", "\\u{2066}x\\u{2069}"],
    ["\u001B[2K", "\\u{1B}[2K"],
    ["a\rb", "a\\rb"],
    ["a\tb", "a\\tb"],
    ["a\u00A0b", "a\\u{A0}b"],
    ["\uFEFFls", "\\u{FEFF}ls"],
    ["\u0000\u0007\u007F\u0085", "\\u{0}\\u{7}\\u{7F}\\u{85}"],
    ["\u3164\u2800", "\\u{3164}\\u{2800}"],
    ["\u{E0041}\u{F0000}", "\\u{E0041}\\u{F0000}"],
    ["\uD800", "\\u{D800}"],
    ["a\u2028b", "a\\u{2028}b"],
  ])("%j reads %s", (text, shown) => {
    expect(escapeInvisible(text)).toBe(shown);
  });

  it("leaves alone what a reader can see: lines, scripts, emoji, fences, markup", () => {
    for (const text of ["a\nb", "привет 你好 שלום", "👩‍💻 ❤️ 👍🏽", "```", "<b>&amp;</b>", "a  b"]) expect(escapeInvisible(text)).toBe(text);
  });

  it("never lets a control, format or unusual space through, and changes nothing the second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const shown = escapeInvisible(text);
        expect(shown.replace(/\p{Extended_Pictographic}[\u{FE0F}\u{200D}\p{Emoji_Modifier}]+/gu, "")).not.toMatch(/[^\P{C}\n]|[^\P{Z} ]/u);
        expect(escapeInvisible(shown)).toBe(shown);
      }),
      { numRuns: 300 },
    );
  });
});
