import { describe, expect, it } from "vitest";
import { readSlash, sendNote } from "./composer-words";

const commands = [
  { name: "undo", aliases: ["back"] },
  { name: "usage", aliases: [] },
  { name: "help", aliases: ["h"] },
];
const kind = (text: string) => readSlash(text, commands).kind;

describe("a text that begins with a slash", () => {
  it("is a command only by its first word at the very start (B261)", () => {
    for (const text of ["/usr/bin/env is missing", " /undo", "```\n/undo\n```", "//", "/ undo", "/1", "／undo", "a /undo"]) expect(kind(text)).toBe("text");
    expect(kind("/undo 2")).toBe("command");
    expect(kind("/back\nmore")).toBe("command");
    expect(kind("/UNDO 1")).toBe("command");
  });

  it("is held back with a hint when no command has that name", () => {
    expect(readSlash("/unknowncmd x", commands)).toEqual({ kind: "unknown", name: "unknowncmd" });
    expect(kind("/zzz")).toBe("unknown");
  });

  it("offers what may be meant while the word is written", () => {
    const state = readSlash("/u", commands);
    expect(state.kind === "choosing" ? state.matches.map((command) => command.name) : []).toEqual(["undo", "usage"]);
    expect(kind("/")).toBe("choosing");
  });
});

describe("the line below the composer", () => {
  it("says what Send will do", () => {
    expect(sendNote({ busy: true, mode: "queue", queued: 0, held: false })).toBe("Sent when this turn ends");
    expect(sendNote({ busy: true, mode: "queue", queued: 2, held: false })).toBe("Sent when this turn ends, after two others");
    expect(sendNote({ busy: true, mode: "steer", queued: 1, held: false })).toBe("Read by the agent at its next step");
    expect(sendNote({ busy: false, mode: "queue", queued: 1, held: true })).toBe("Sent at once, the held ones stay");
  });
});
