import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Markdown } from "./markdown";
import { safeAddress } from "./markdown-plugins";

function html(text: string, live = false): string {
  return renderToStaticMarkup(<Markdown text={text} live={live} />);
}
const hrefs = (markup: string): readonly string[] => [...markup.matchAll(/href="([^"]*)"/g)].map((match) => match[1] ?? "");

describe("links", () => {
  it("follows only http, https and mailto, however the scheme is written", () => {
    expect(safeAddress("https://e.com/a?b=1")).toBe("https://e.com/a?b=1");
    for (const address of ["javascript:alert(1)", "JaVaScRiPt:alert(1)", " java\nscript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc", "/api/x", "//e.com", "#x"]) {
      expect(safeAddress(address)).toBeNull();
    }
    expect(hrefs(html("[a](javascript:alert(1)) [b](https://e.com) <javascript:alert(1)> [c](data:text/html,x)"))).toEqual(["https://e.com"]);
  });

  it("ends a bare address before CJK punctuation (B230)", () => {
    const markup = html("见https://e.com/a。然后（https://e.com/b）和 https://e.com/c，好");
    expect(hrefs(markup)).toEqual(["https://e.com/a", "https://e.com/b", "https://e.com/c"]);
    expect(markup).toContain("</a>。然后");
  });
});

describe("text that looks like something else", () => {
  it("leaves prices alone and keeps a list around a formula one list (B230)", () => {
    expect(html("costs $5 and $10")).toContain("costs $5 and $10");
    expect(html("- a\n\n  $$x^2$$\n\n- b").match(/<ul/g)).toHaveLength(1);
  });

  it("shows raw HTML as text and makes no element of it (B216)", () => {
    const payloads = [
      "<img src=x onerror=window.__pwn=1>",
      "<iframe srcdoc='<script>parent.__pwn=1</script>'></iframe>",
      "<svg onload=window.__pwn=1>",
      "<form action=/api/x><button>go</button></form>",
      "<style>*{display:none}</style>",
      "<base href=//evil>",
      "<meta http-equiv=refresh content='0;url=//evil'>",
      "<math><mi xlink:href='javascript:1'>x</mi></math>",
      "<details open ontoggle=window.__pwn=1><p><script>window.__pwn=1</script></p></details>",
      "para <b onclick=x>inline</b> <a href='javascript:1'>y</a>",
    ];
    for (const payload of payloads) {
      const markup = html(`before\n\n${payload}\n\nafter`);
      expect(markup).not.toMatch(/<(?!\/?(?:div|p|span)\b)[a-z]/i);
      expect(markup).not.toMatch(/<[^>]*\son\w+=/i);
      expect(markup).toContain("&lt;");
    }
  });

  it("asks no server for a picture", () => {
    expect(html("![logo](https://e.com/p.png)")).not.toContain("<img");
  });
});

describe("a live answer", () => {
  it("stands the caret at the end, in words and in open code", () => {
    expect(html("Hello wor", true)).toMatch(/wor<span class="caret"[^>]*><\/span><\/p>/);
    expect(html("```ts\nconst a", true)).toMatch(/const<\/span> a<span class="caret"[^>]*><\/span><\/code>/);
    expect(html("- one\n- tw", true)).toMatch(/tw<span class="caret"[^>]*><\/span>\s*<\/li>/);
    expect(html("**bol", true)).toContain("<strong>bol<span");
  });

  it("shows no mark in the text itself", () => {
    for (const text of ["a", "```", "```ts", "[x](http", "| a |\n|---|\n", "# T", "`co", "a\n\n"]) expect(html(text, true)).not.toContain("\uE0FF");
  });
});
