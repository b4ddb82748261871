import { describe, expect, it } from "vitest";
import { parseAnsi, plainText } from "./ansi";

const ESC = "\u001b";

function shown(text: string): string {
  return parseAnsi(text)
    .map((line) => line.map((piece) => (piece.style === "" ? piece.text : `<${piece.style}>${piece.text}</>`)).join(""))
    .join("\n");
}

describe("terminal output", () => {
  it("keeps text that holds no control character byte for byte", () => {
    const text = "# x\n| a |\n> q\n*y*\t1\n   three blanks\n\n`end`";
    expect(plainText(text)).toBe(text);
    expect(shown(text)).toBe(text);
  });

  it("draws colours and weights by tokens, bright ones at the next weight", () => {
    expect(shown(`${ESC}[31mred${ESC}[0m plain ${ESC}[1;92mok${ESC}[22m on${ESC}[39m`)).toBe(
      "<a-1>red</> plain <a-2 a-bright a-bold>ok</><a-2 a-bright> on</>",
    );
    expect(shown(`${ESC}[38;5;196mx${ESC}[m${ESC}[38;2;20;200;40my${ESC}[48;5;17mz`)).toBe("<a-1>x</><a-2>yz</>");
    expect(shown(`${ESC}[33mfirst\nsecond${ESC}[0m`)).toBe("<a-3>first</>\n<a-3>second</>");
  });

  it("lets a progress bar overwrite its own line (B188)", () => {
    const bar = Array.from({ length: 100 }, (_, index) => `\r${index + 1} %`).join("");
    expect(shown(`${bar}\ndone\r\n`)).toBe("100 %\ndone");
    expect(shown(`long line\r${ESC}[Kshort`)).toBe("short");
    expect(shown(`abc\b\bX`)).toBe("aXc");
    expect(shown(`abc${ESC}[2K\rnew`)).toBe("new");
  });

  it("drops titles, links, bells and every other control byte (B188)", () => {
    const hostile = `${ESC}]0;title\u0007a${ESC}]8;;javascript:alert(1)${ESC}\\link${ESC}]8;;${ESC}\\ b\u0007${ESC}(B${ESC}[?25l${ESC}[2J${ESC}c\u009b31mc\u0000${ESC}`;
    const text = plainText(hostile);
    expect(text).toBe("alink bc");
    // eslint-disable-next-line no-control-regex
    expect(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)).toBe(false);
  });

  it("drops a string command that is cut or spans lines", () => {
    expect(plainText(`a${ESC}]0;half`)).toBe("a");
    expect(plainText(`a${ESC}]0;half\nrest\u0007b\nc`)).toBe("ab\nc");
  });

  it("makes no empty line of a last line break, but keeps blank lines inside", () => {
    expect(parseAnsi("a\n\nb\n").length).toBe(3);
    expect(parseAnsi("").length).toBe(1);
  });
});
