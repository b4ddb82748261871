import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeMemory, readMemory, renderMemory } from "./memory";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memory-"));
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

function add(content: string, target: "memory" | "user" = "memory") {
  return changeMemory(home, { action: "add", target, content });
}

async function file(name: string): Promise<string> {
  return readFile(join(home, "memories", name), "utf8");
}

describe("notes that outlive a session", () => {
  it("are kept as Hermes Agent keeps them, in a file for the work and one for the person", async () => {
    expect(await add("Uses pnpm")).toMatchObject({ status: "saved", entries: ["Uses pnpm"], used: 9, limit: 2200 });
    await add("Tests\nrun in CI");
    await add("Ada", "user");
    expect(await file("MEMORY.md")).toBe("Uses pnpm\n§\nTests\nrun in CI");
    expect(await file("USER.md")).toBe("Ada");
    expect(await readMemory(home, "user")).toEqual({ entries: ["Ada"], used: 3, limit: 1375 });
  });

  it("noting the same twice succeeds and adds nothing", async () => {
    await add("a");
    expect(await add(" a\n")).toMatchObject({ status: "unchanged", entries: ["a"] });
  });

  it("replace and remove need a part of exactly one note, and tell the notes otherwise", async () => {
    await add("likes tea");
    await add("likes coffee");
    expect(await changeMemory(home, { action: "replace", target: "memory", match: "tea", content: "likes water" })).toMatchObject({ status: "saved", entries: ["likes water", "likes coffee"] });
    expect(await changeMemory(home, { action: "remove", target: "memory", match: "likes" })).toMatchObject({ status: "refused", reason: "several_matches", entries: ["likes water", "likes coffee"] });
    expect(await changeMemory(home, { action: "remove", target: "memory", match: "milk" })).toMatchObject({ status: "refused", reason: "no_match" });
    expect(await changeMemory(home, { action: "remove", target: "memory", match: "" })).toMatchObject({ status: "refused", reason: "no_match" });
    expect(await changeMemory(home, { action: "remove", target: "memory", match: "coffee" })).toMatchObject({ status: "saved", entries: ["likes water"] });
    expect(await file("MEMORY.md")).toBe("likes water");
  });

  it("what does not fit is refused with what is there; characters count, not bytes", async () => {
    expect(await add("é".repeat(1375), "user")).toMatchObject({ status: "saved", used: 1375 });
    expect(await add("x", "user")).toMatchObject({ status: "refused", reason: "over_limit", used: 1375, message: "This would be 1379 of 1375 characters. Shorten or remove notes first." });
    expect(await add("y".repeat(2201))).toMatchObject({ status: "refused", reason: "over_limit", entries: [] });
    expect(await file("USER.md")).toBe("é".repeat(1375));
  });

  it("a file that a person made too long can still be made shorter", async () => {
    await mkdir(join(home, "memories"));
    await writeFile(join(home, "memories/MEMORY.md"), `${"a".repeat(2000)}\n§\n${"b".repeat(1000)}\n§\nc`);
    expect(await changeMemory(home, { action: "remove", target: "memory", match: "c" })).toMatchObject({ status: "saved", used: 3003 });
    expect(await add("d")).toMatchObject({ status: "refused", reason: "over_limit" });
  });

  it.each(["", "  \n", "a\n§\nb", "§", "a\u202Eb", "a\u200Bb", "a\u001Bb"])("refuses %j as a note", async (content) => {
    expect(await add(content)).toMatchObject({ status: "refused", reason: "bad_content" });
  });

  it("keeps what was written by hand meanwhile", async () => {
    await add("a");
    await writeFile(join(home, "memories/MEMORY.md"), "\uFEFFa\r\n§\r\nby hand\r\n");
    expect(await add("b")).toMatchObject({ entries: ["a", "by hand", "b"] });
  });

  it("changes at one moment are all kept", async () => {
    await Promise.all(Array.from({ length: 12 }, (_, number) => add(`note ${number}`)));
    expect((await readMemory(home, "memory")).entries).toHaveLength(12);
  });

  it("a deleted profile does not come back", async () => {
    await rm(home, { recursive: true });
    await expect(add("a")).rejects.toMatchObject({ code: "profile_not_found" });
  });
});

describe("B246: what the prompt is given", () => {
  it("is this home's memory alone, with how full it is", async () => {
    expect(await renderMemory(home)).toBeNull();
    const other = await mkdtemp(join(tmpdir(), "memory-"));
    await changeMemory(other, { action: "add", target: "memory", content: "of the other" });
    await add("x".repeat(1100));
    await add("Ada", "user");
    expect(await renderMemory(home)).toBe(`What you noted in earlier sessions (50 % full, 1100 of 2200 characters):\n${"x".repeat(1100)}\n\nWhat you know about the person (0 % full, 3 of 1375 characters):\nAda`);
    await rm(other, { recursive: true });
  });
});
