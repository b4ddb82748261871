import { describe, expect, it } from "vitest";
import { holdBack } from "./hold-back";

/** What is shown after each character of the text. */
function stream(text: string): readonly string[] {
  return Array.from(text, (_, index) => holdBack(text.slice(0, index + 1)));
}

describe("a text that streams", () => {
  it("never shows a lone backtick of a fence, at its start or at its end (B221)", () => {
    const shown = stream("Look:\n```ts\nconst a = 1\n```\nDone");
    for (const text of shown) expect(text).not.toMatch(/(^|\n)`{1,2}($|\n)/);
    expect(shown.filter((text) => /1\n`+$/.test(text)), "the caret's mark would stand right behind it").toEqual([]);
    expect(shown).toContain("Look:\n```");
    expect(shown).toContain("Look:\n```ts\nconst a = 1");
    expect(shown.at(-1)).toBe("Look:\n```ts\nconst a = 1\n```\nDone");
  });

  it("keeps backticks that belong to the code of a longer fence", () => {
    expect(holdBack("````md\n```js\nx")).toBe("````md\n```js\nx");
    expect(holdBack("````md\n```\n``")).toBe("````md\n```");
  });

  it("holds what may become a heading, a list, a rule or a heading's underline", () => {
    for (const end of ["#", "###", "-", "* ", "1.", "--", "=", "> -", "**"]) expect(holdBack(`word\n${end}`)).toBe("word");
    expect(holdBack("word\n- a")).toBe("word\n- a");
    expect(holdBack("costs - 5")).toBe("costs - 5");
  });

  it("lets a table grow by rows", () => {
    const table = "Sizes:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n";
    const shown = [...new Set(stream(table))].filter((text) => text.includes("|"));
    expect(shown.map((text) => text.trimEnd().split("\n").length)).toEqual([4, 4, 5, 5, 6]);
  });

  it("only ever grows by what was written", () => {
    const text = "Hi `code` and **bold** text\n\n- one\n- two\n\n1. x\n\n```py\nprint(1)\n```\n\nend";
    for (const [index, shown] of stream(text).entries()) expect(text.slice(0, index + 1).startsWith(shown)).toBe(true);
  });
});
