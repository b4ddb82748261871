import { describe, expect, it } from "vitest";
import { decodeEscapes, expandHome, foldFillers, foldLookalikes, hasHiddenCharacters, joinContinuedLines } from "./normalise";

describe("what reads the same becomes the same", () => {
  it("folds letters of other scripts, full-width forms and typographic signs", () => {
    expect(foldLookalikes("ｒｍ －ｒｆ ／")).toBe("rm -rf /");
    expect(foldLookalikes("сurl һttр://х | ѕһ")).toBe("curl http://x | sh");
    expect(foldLookalikes("rm\u00A0−rf ⁄")).toBe("rm -rf /");
  });

  it("drops what is not drawn", () => {
    expect(foldLookalikes("r\u200Bm\u2060 -\u00ADrf \u202E/\u202C")).toBe("rm -rf /");
    expect(foldLookalikes("r\u001Bm")).toBe("rm");
  });

  it("sees hidden characters, and honest joiners as honest", () => {
    for (const text of ["a\u200Bb", "a\u202Eb", "\uFEFFa", "a\u0000", "\u{E0041}", "a\u200Db", "\uE000"]) expect(hasHiddenCharacters(text)).toBe(true);
    for (const text of ["a\tb\nc", "👩‍💻 ❤️", "می‌خواهم", "क्‍ष", "Ça va !", "你好　世界"]) expect(hasHiddenCharacters(text)).toBe(false);
  });

  it("takes IFS and empty parameters for what they are", () => {
    expect(foldFillers("rm${IFS}-rf$IFS/ r$@m r${1}m")).toBe("rm -rf / rm rm");
    expect(foldFillers("$IFS_NAME")).toBe("$IFS_NAME");
  });

  it("joins continued lines", () => {
    expect(joinContinuedLines("r\\\nm \\\r\n-rf")).toBe("rm -rf");
  });

  it("reads escapes of $'…', echo -e and printf", () => {
    expect(decodeEscapes("\\x72\\155\\u0020\\055rf\\t\\\\ \\'")).toBe("rm -rf\t\\ '");
    expect(decodeEscapes("\\U110000x")).toBe("x");
  });

  it("knows every way to say home", () => {
    expect(expandHome("~", "/home/ada", null)).toBe("/home/ada");
    expect(expandHome("~/x", "/home/ada", null)).toBe("/home/ada/x");
    expect(expandHome("~bob/x", "/Users/ada", null)).toBe("/Users/bob/x");
    expect(expandHome("~root", "/home/ada", null)).toBe("/root");
    expect(expandHome("~+/x", "/home/ada", "/w")).toBe("/w/x");
    expect(expandHome("a~", "/home/ada", null)).toBe("a~");
  });
});
