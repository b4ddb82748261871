import { describe, expect, it } from "vitest";
import { cleanTitle, fallbackTitle } from "./title";

describe("a model's title (B263)", () => {
  it.each<readonly [string, string, string | null]>([
    ["a thought before it", "<think>x</think>Red kite", "Red kite"],
    ["a thought that never ends", "<think>x", null],
    ["nothing", "", null],
    ["a label and quotes", 'Title: "Red kite"', "Red kite"],
    ["a label in another language, in bold", "**Titel: Red kite**", "Red kite"],
    ["a bold label", '**Title:** "Red kite"', "Red kite"],
    ["three lines", "Red kite\nand more\nand more", "Red kite"],
    ["empty lines first", "\n\n  Red   kite  \n", "Red kite"],
    ["tags", "<b>Red</b> <img src=x onerror=alert(1)>kite", "Red kite"],
    ["characters that would hide or turn", "Red\u202e\u200b kite\u0007", "Red kite"],
    ["five thousand characters", "kite ".repeat(1_000), null],
    ["quotes alone", '""', null],
  ])("with %s", (_what, answer, title) => {
    expect(cleanTitle(answer)).toBe(title);
  });

  it("is at most 80 characters of plain text", () => {
    const long = cleanTitle("kite ".repeat(40)) ?? "";
    expect(long.length).toBeLessThanOrEqual(80);
    expect(long).toMatch(/^kite .*kite…$/);
  });
});

describe("the cut of the person's words (B263)", () => {
  it.each<readonly [string, string, string]>([
    ["a short line", "Red kite", "Red kite"],
    ["lines", "\n\nRed kite\nthen more", "Red kite"],
    ["tags and what hides", "<script>x</script>Red\u200b kite", "xRed kite"],
    ["nothing", " \n ", "New session"],
  ])("of %s", (_what, message, title) => {
    expect(fallbackTitle(message)).toBe(title);
  });

  it("ends at a word, within 80 characters", () => {
    const cut = fallbackTitle("red kite ".repeat(600));
    expect(cut.length).toBeLessThanOrEqual(80);
    expect(cut).toMatch(/ (?:red|kite)…$/);
    expect(fallbackTitle("k".repeat(5_000)).length).toBeLessThanOrEqual(80);
    for (const text of ["🧪".repeat(60), `k${"🧪".repeat(60)}`]) for (const title of [fallbackTitle(text), cleanTitle(text)]) expect(title).toMatch(/^k?(?:🧪)+…$/u);
  });
});
