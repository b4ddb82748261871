import { describe, expect, it } from "vitest";
import { parseDemoScript, type DemoAction } from "./demo-script";

const call = (name: string, values: Readonly<Record<string, unknown>>): DemoAction => ({ kind: "call", name, arguments: values });

describe("the script language of the demo model", () => {
  it.each<readonly [string, DemoAction]>([
    ["run ls -la | head", call("terminal", { command: "ls -la | head" })],
    ["read docs/a b.md", call("read_file", { path: "docs/a b.md" })],
    ["write a.txt: hello: world", call("write_file", { path: "a.txt", content: "hello: world" })],
    ["write a.txt:hello", call("write_file", { path: "a.txt", content: "hello" })],
    ["write a.txt:", call("write_file", { path: "a.txt", content: "" })],
    ["search TODO|FIXME", call("search_files", { pattern: "TODO|FIXME" })],
    ["ask Which one? | red | blue", call("clarify", { question: "Which one?", choices: ["red", "blue"] })],
    ["ask Why?", call("clarify", { question: "Why?" })],
    ["plan a; b; c", call("todo", { items: [{ id: "1", text: "a", status: "pending" }, { id: "2", text: "b", status: "pending" }, { id: "3", text: "c", status: "pending" }] })],
    ["think hm, well", { kind: "think", text: "hm, well" }],
    ["say  two  spaces", { kind: "say", text: "two  spaces" }],
    ["sleep 250", { kind: "sleep", ms: 250 }],
    ["stream 3", { kind: "stream", count: 3, pause_ms: null }],
    ["stream 3 0", { kind: "stream", count: 3, pause_ms: 0 }],
    ["fail provider_overloaded", { kind: "fail", failure: "provider_overloaded" }],
    ["fail 429", { kind: "fail", failure: 429 }],
    ["   say indented\t", { kind: "say", text: "indented" }],
  ])("%s", (line, action) => {
    expect(parseDemoScript(line)).toEqual([[action]]);
  });

  it.each(["hello there", "", "run", "Run ls", "running late", "sleep long", "stream many", "fail somehow", "fail internal", "say", "write nothing"])("%j is no directive", (line) => {
    expect(parseDemoScript(line)).toBeNull();
  });

  it("groups consecutive tool directives into one step unless an empty line parts them", () => {
    const a = call("terminal", { command: "a" });
    const b = call("terminal", { command: "b" });
    expect(parseDemoScript("run a\nrun b")).toEqual([[a, b]]);
    expect(parseDemoScript("run a\n\nrun b")).toEqual([[a], [b]]);
    expect(parseDemoScript("run a\r\n  \r\nrun b")).toEqual([[a], [b]]);
    expect(parseDemoScript("run a\nplease, and then\nrun b")).toEqual([[a, b]]);
  });

  it("ends a step after its calls, and keeps what is said before them in it", () => {
    const say = (text: string): DemoAction => ({ kind: "say", text });
    expect(parseDemoScript("say one\n\nsay two\nrun a\nsay three\nrun b\nsay four")).toEqual([
      [say("one"), say("two"), call("terminal", { command: "a" })],
      [say("three"), call("terminal", { command: "b" })],
      [say("four")],
    ]);
  });
});
