import { describe, expect, it } from "vitest";
import { createHighlighter } from "./highlight";

function shown(language: string, code: string): string {
  return createHighlighter(language)(code)
    .map((line) => line.map((piece) => (piece.style === "" ? piece.text : `<${piece.style.slice(3)} ${piece.text}>`)).join(""))
    .join("\n");
}

describe("code colours", () => {
  it("tells keywords, names, strings and comments apart", () => {
    expect(shown("ts", "beforeEach(async () => {\n  await emptyFolder('up') // 2\n})")).toBe(
      "<n beforeEach>(<k async> () <k =>> {\n  <k await> <n emptyFolder>(<s 'up'>) <c // 2>\n})",
    );
    expect(shown("py", "def run(x):  # go\n    return f\"{x}\"")).toBe('<k def> <n run>(x):  <c # go>\n    <k return> f<s "{x}">');
    expect(shown("bash", "npm test && echo \"$HOME\" # ok")).toBe('<n npm> test && <n echo> <s "$HOME"> <c # ok>');
    expect(shown("json", '{"a": "b", "n": 12, "t": true}')).toBe('{<n "a">: <s "b">, <n "n">: <s 12>, <n "t">: <k true>}');
    expect(shown("html", '<a href="x">t</a>')).toBe('<k <a> <n href>=<s "x"><k >>t<k </a>>');
  });

  it("carries open comments and strings over lines", () => {
    expect(shown("js", "/* a\nb */ c")).toBe("<c /* a>\n<c b */> c");
    expect(shown("js", "x = `a\n${b}` + 1")).toBe("x = <s `a>\n<s ${b}`> + <s 1>");
    expect(shown("py", '"""a\nb"""\nif')).toBe('<s """a>\n<s b""">\n<k if>');
  });

  it("leaves an unknown language and every character as they are", () => {
    expect(shown("klingon", "if (x) // y")).toBe("if (x) // y");
    const code = "const a = 'x\\'y' + `z`;\n\tfoo.bar(1.5e3, /re/)\n\n";
    for (const language of ["ts", "py", "sh", "sql", "yaml", "css", "html", "json", "lua"]) {
      const text = createHighlighter(language)(code).map((line) => line.map((piece) => piece.text).join("")).join("\n");
      expect(text).toBe(code);
    }
  });

  it("reads only changed lines again while code streams in", () => {
    const highlight = createHighlighter("ts");
    const first = highlight("const a = 1\nawait emptyFol");
    const second = highlight("const a = 1\nawait emptyFolder(x)\n");
    expect(second[0]).toBe(first[0]);
    expect(second[1]).not.toBe(first[1]);
    expect(second).toHaveLength(3);
  });

  it("does not take an address for a comment", () => {
    expect(shown("ts", "fetch(url) // https://e.com")).toContain("<c // https://e.com>");
    expect(shown("yaml", "url: https://e.com # c")).toBe("<n url>: https://e.com <c # c>");
  });
});
