import { describe, expect, it } from "vitest";
import { hotkeyOf } from "./hotkeys";

const press = (key: string, more: { meta?: boolean; ctrl?: boolean; alt?: boolean; shift?: boolean } = {}) => ({
  key,
  metaKey: more.meta ?? false,
  ctrlKey: more.ctrl ?? false,
  altKey: more.alt ?? false,
  shiftKey: more.shift ?? false,
});

describe("the page's keys", () => {
  it("use ⌘ on a Mac and Ctrl elsewhere", () => {
    expect(hotkeyOf(press("k", { meta: true }), true)).toBe("palette");
    expect(hotkeyOf(press("K", { ctrl: true }), false)).toBe("palette");
    expect(hotkeyOf(press("k", { ctrl: true }), true)).toBeNull();
    expect(hotkeyOf(press("k"), false)).toBeNull();
    expect(hotkeyOf(press(".", { ctrl: true }), false)).toBe("panel");
    expect(hotkeyOf(press("ArrowUp", { ctrl: true }), false)).toBe("lastMessage");
  });

  it("leave combinations of others alone", () => {
    expect(hotkeyOf(press("f", { ctrl: true, shift: true }), false)).toBeNull();
    expect(hotkeyOf(press("k", { ctrl: true, alt: true }), false)).toBeNull();
    expect(hotkeyOf(press("Escape"), false)).toBe("escape");
    expect(hotkeyOf(press("F6", { shift: true }), false)).toBe("regionBack");
  });
});
