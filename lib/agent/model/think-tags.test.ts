import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ThinkTagSplitter, type SplitPart } from "./think-tags";

function split(pieces: readonly string[]): { readonly text: string; readonly reasoning: string } {
  const splitter = new ThinkTagSplitter();
  const parts: readonly SplitPart[] = [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
  const join = (type: SplitPart["type"]): string => parts.map((part) => (part.type === type ? part.text : "")).join("");
  return { text: join("text"), reasoning: join("reasoning") };
}

describe("thinking inside the text", () => {
  it.each([
    ["plain text", "Hello.", "Hello.", ""],
    ["a thought first", "<think>weigh both</think>Left.", "Left.", "weigh both"],
    ["white space around the tags", "\n<think>\nweigh both\n</think>\n\nLeft.", "Left.", "weigh both"],
    ["an empty thought", "<think>\n\n</think>\n\nLeft.", "Left.", ""],
    ["the longer names", "<thinking>a</thinking><thought>b</thought><reasoning>c</reasoning>d", "d", "abc"],
    ["capitals", "<THINK>a</Think>b", "b", "a"],
    ["a thought on a later line", "First.\n<think>a</think>Then.", "First.\nThen.", "a"],
    ["a closing tag whose opening one the template ate", "</think>\nLeft.", "Left.", ""],
    ["a thought that never closes", "<think>on and on", "", "on and on"],
    ["angle brackets in a thought", "<think>a < b </b> <think</think>c", "c", "a < b </b> <think"],
    ["leading white space of a plain answer", "  indented", "  indented", ""],
  ])("%s", (_what, input, text, reasoning) => {
    expect(split([input])).toEqual({ text, reasoning });
  });

  it.each([
    ["named in prose", "Use the <think> tag, then close it."],
    ["in backticks", "`<think>` opens, `</think>` closes."],
    ["in a fence", "```xml\n<think>\nx\n</think>\n```\nThat is all."],
    ["other tags", "<thin>a</thin> <b>c</b> x < y"],
    ["the start of a tag at the very end", "a\n<thi"],
  ])("leaves a tag alone that is %s", (_what, input) => {
    expect(split([input])).toEqual({ text: input, reasoning: "" });
  });

  it("comes to the same however it is cut, one character at a time too (B172)", () => {
    const piece = fc.constantFrom("<think>", "</think>", "<thi", "nk>", "a", " ", "\n", "`", "```\n", "<", ">", "/", "word ", "</thinking>");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const whole = pieces.join("");
        expect(split([...whole])).toEqual(split([whole]));
      }),
      { numRuns: 500 },
    );
  });

  it("B176: holds nothing back but a possible tag", () => {
    const splitter = new ThinkTagSplitter();
    expect(splitter.push("Quartz ")).toEqual([{ type: "text", text: "Quartz " }]);
    expect(splitter.push("lamp\n<thi")).toEqual([{ type: "text", text: "lamp\n" }]);
    expect(splitter.push("s is text").map((part) => part.text).join("")).toBe("<this is text");
  });
});
