import { execFileSync } from "node:child_process";
import { mkdir, readFile, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPatch } from "./patch";
import { createReadFile } from "./read-file";
import { runTool } from "./run-tool";
import { createSearchFiles } from "./search-files";
import { makeToolFixture, type ToolFixture } from "./tool-fixture";
import type { ToolOutcome } from "./tool-port";
import { createWriteFile } from "./write-file";

const TOOLS = [createReadFile(), createWriteFile(), createPatch(), createSearchFiles()];

let fixture: ToolFixture;
beforeEach(async () => {
  fixture = await makeToolFixture();
});
afterEach(() => fixture.remove());

function run(name: string, given: Readonly<Record<string, unknown>>): Promise<ToolOutcome> {
  return runTool(TOOLS.find((tool) => tool.name === name), name, given, fixture.context);
}

async function bytesOf(name: string): Promise<Buffer> {
  return readFile(path.join(fixture.workspace, name));
}

describe("read_file", () => {
  it("numbers lines, and reads on where it stopped", async () => {
    await fixture.put("a.txt", "one\r\ntwo\r\nthree");
    expect(await run("read_file", { path: "a.txt" })).toMatchObject({ status: "ok", result: "     1\tone\n     2\ttwo\n     3\tthree", data: { first_line: 1, shown_lines: 3, total_lines: 3 } });
    expect((await run("read_file", { path: "a.txt", offset: 2, limit: 1 })).result).toBe("     2\ttwo\n[lines 2 to 2 of 3; go on with offset 3]");
    expect(await run("read_file", { path: "a.txt", offset: 4 })).toMatchObject({ status: "error", result: expect.stringContaining("only 3 lines") });
    await fixture.put("empty", "");
    expect(await run("read_file", { path: "empty" })).toMatchObject({ status: "ok", result: "(empty file)" });
    expect(await run("read_file", { path: path.join(fixture.workspace, "a.txt"), offset: null, limit: null })).toMatchObject({ status: "ok" });
  });

  it("stays within its bounds, whatever the file", async () => {
    await fixture.put("many.txt", Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`).join("\n"));
    const many = await run("read_file", { path: "many.txt" });
    expect(many.result).toContain("[lines 1 to 2000 of 5000; go on with offset 2001]");
    await fixture.put("wide.txt", `${"x".repeat(3_000_000)}\nsecond`);
    expect((await run("read_file", { path: "wide.txt" })).result).toMatch(/^ {5}1\tx{2000}… \[line cut, 3000000 characters\]\n {5}2\tsecond$/);
    await fixture.put("full.txt", `${"y".repeat(1990)}\n`.repeat(500));
    const full = await run("read_file", { path: "full.txt" });
    expect(full.result.length).toBeLessThanOrEqual(100_000);
    expect(full.result).toContain("go on with offset 48]");
    expect((await run("read_file", { path: "full.txt", offset: 48 })).result).toMatch(/^ {4}48\ty/);
  });

  it("keeps a character whole across pieces of the file", async () => {
    await fixture.put("wide.txt", `${"a".repeat(256 * 1024 - 1)}\n`.slice(1) + "中文\n");
    expect((await run("read_file", { path: "wide.txt", offset: 2 })).result).toBe("     2\t中文");
  });

  it("answers a bounded error for what is no text file (B199)", async () => {
    execFileSync("mkfifo", [path.join(fixture.workspace, "fifo")]);
    await symlink("/dev/zero", path.join(fixture.workspace, "zero"));
    await truncate(await fixture.put("sparse", ""), 5 * 1024 ** 3);
    await mkdir(path.join(fixture.workspace, "folder"));
    await fixture.put("image.png", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"));
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(path.join(fixture.workspace, "socket"), resolve));
    const memory = process.memoryUsage().rss;
    const began = performance.now();
    for (const [name, words] of Object.entries({ fifo: "no file", socket: "no file", zero: "outside_workspace", sparse: "too_large", folder: "folder", "image.png": "image/png", none: "not_found", "../outside/secret.txt": "outside_workspace" })) {
      const outcome = await run("read_file", { path: name });
      expect(outcome, name).toMatchObject({ status: "error", result: expect.stringContaining(words) });
      expect(outcome.result).not.toContain(fixture.base);
    }
    expect(performance.now() - began).toBeLessThan(3000);
    expect((process.memoryUsage().rss - memory) / 2 ** 20, "MB more").toBeLessThan(100);
    await new Promise((resolve) => socket.close(resolve));
  });
});

describe("write_file", () => {
  it("creates and replaces, and tells what changed", async () => {
    expect(await run("write_file", { path: "new/a.txt", content: "one\ntwo\n" })).toMatchObject({
      status: "ok",
      result: "Created new/a.txt (+2 −0 lines).",
      files: [{ path: "new/a.txt", kind: "created", added: 2, removed: 0 }],
      data: { kind: "diff", diff: "--- /dev/null\n+++ b/new/a.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n" },
    });
    expect(await run("write_file", { path: "new/a.txt", content: "one\n2\n" })).toMatchObject({
      result: "Replaced new/a.txt (+1 −1 lines).",
      files: [{ kind: "changed", added: 1, removed: 1 }],
    });
    expect(await run("write_file", { path: "../outside/x", content: "" })).toMatchObject({ status: "error", result: expect.stringContaining("outside_workspace") });
  });

  it("does not stall on two big texts with nothing in common", async () => {
    const text = (seed: number) => Array.from({ length: 60_000 }, (_, index) => `${(index * seed) % 104_729}`).join("\n");
    await fixture.put("big.txt", text(7919));
    const began = performance.now();
    expect(await run("write_file", { path: "big.txt", content: text(1299) })).toMatchObject({ status: "ok", files: [{ added: expect.any(Number) }] });
    expect(performance.now() - began).toBeLessThan(3000);
  });
});

describe("patch", () => {
  it("keeps the line ends of the file (B195)", async () => {
    await fixture.put("dos.txt", "a\r\nb\r\nc\r\n");
    expect(await run("patch", { path: "dos.txt", old_text: "a\nb", new_text: "a\nB" })).toMatchObject({ status: "ok", files: [{ path: "dos.txt", added: 1, removed: 1 }] });
    expect((await bytesOf("dos.txt")).toString()).toBe("a\r\nB\r\nc\r\n");
    await run("patch", { path: "dos.txt", old_text: "B", new_text: "B\nx" });
    expect((await bytesOf("dos.txt")).toString()).toBe("a\r\nB\r\nx\r\nc\r\n");
    await fixture.put("unix.txt", "a\nb\n");
    await run("patch", { path: "unix.txt", old_text: "a\r\nb", new_text: "A\r\nb" });
    expect((await bytesOf("unix.txt")).toString()).toBe("A\nb\n");
  });

  it("keeps bytes that are no UTF-8, or refuses (B198)", async () => {
    await fixture.put("latin.txt", Buffer.concat([Buffer.from("caf"), Buffer.from([0xe9]), Buffer.from("\nprice 5\n")]));
    expect(await run("patch", { path: "latin.txt", old_text: "price 5", new_text: "price 6" })).toMatchObject({ status: "ok" });
    expect((await bytesOf("latin.txt")).toString("latin1")).toBe("caf\u00e9\nprice 6\n");
    expect(await run("patch", { path: "latin.txt", old_text: "price 6", new_text: "Preis ä" })).toMatchObject({ status: "error", result: expect.stringContaining("no UTF-8") });
    const gbk = Buffer.from("b943cad041", "hex");
    await fixture.put("gbk.txt", gbk);
    expect(await run("patch", { path: "gbk.txt", old_text: "C", new_text: "D" })).toMatchObject({ status: "error" });
    expect(await bytesOf("gbk.txt")).toEqual(gbk);
    expect((await run("read_file", { path: "latin.txt" })).result).toContain("no UTF-8");
  });

  it("changes one place, or all when told", async () => {
    await fixture.put("a.txt", "x = 1\ny\nx = 1\n");
    expect(await run("patch", { path: "a.txt", old_text: "x = 1", new_text: "x = 2" })).toMatchObject({ status: "error", result: expect.stringContaining("lines 1, 3") });
    expect(await run("patch", { path: "a.txt", old_text: "z", new_text: "x" })).toMatchObject({ status: "error", result: expect.stringContaining("not in a.txt") });
    expect(await run("patch", { path: "a.txt", old_text: "x", new_text: "x" })).toMatchObject({ status: "error" });
    expect(await run("patch", { path: "a.txt", old_text: "", new_text: "x" })).toMatchObject({ status: "error" });
    expect((await bytesOf("a.txt")).toString()).toBe("x = 1\ny\nx = 1\n");
    const all = await run("patch", { path: "a.txt", old_text: "x = 1", new_text: "x = $& 2", replace_all: true });
    expect(all).toMatchObject({ status: "ok", data: { diff: expect.stringContaining("-x = 1\n+x = $& 2\n") } });
    expect((await bytesOf("a.txt")).toString()).toBe("x = $& 2\ny\nx = $& 2\n");
  });

  it("F1 refuses when the file changed outside since it was read (B201)", async () => {
    const file = await fixture.put("f.txt", "mine\n");
    await run("read_file", { path: "f.txt" });
    await writeFile(file, "mine\nfrom outside\n");
    for (const [tool, given] of [["patch", { old_text: "mine", new_text: "ours" }], ["write_file", { content: "ours" }]] as const) {
      expect(await run(tool, { path: "f.txt", ...given })).toMatchObject({ status: "error", result: expect.stringContaining("changed_on_disk") });
    }
    expect((await bytesOf("f.txt")).toString()).toBe("mine\nfrom outside\n");
    await run("read_file", { path: "./f.txt" });
    expect(await run("patch", { path: "f.txt", old_text: "mine", new_text: "ours" })).toMatchObject({ status: "ok" });
    expect(await run("patch", { path: "f.txt", old_text: "ours", new_text: "all" })).toMatchObject({ status: "ok" });
    expect((await bytesOf("f.txt")).toString()).toBe("all\nfrom outside\n");
  });

  it("says what is missing or no text", async () => {
    expect(await run("patch", { path: "none", old_text: "a", new_text: "b" })).toMatchObject({ status: "error", result: expect.stringContaining("not_found") });
    await fixture.put("bin", Buffer.from([1, 0, 2]));
    expect(await run("patch", { path: "bin", old_text: "a", new_text: "b" })).toMatchObject({ status: "error", result: expect.stringContaining("binary") });
  });
});

describe("search_files", () => {
  it("answers places and names", async () => {
    await fixture.put("src/needle.ts", "a\n  needle(1)\n");
    await fixture.put("src/b.js", "needle(2)");
    expect((await run("search_files", { pattern: "needle\\(\\d" })).result).toBe("src/b.js:1: needle(2)\nsrc/needle.ts:2:   needle(1)");
    expect((await run("search_files", { pattern: "needle", glob: "*.ts", path: "src" })).result).toBe("src/needle.ts:2:   needle(1)\nsrc/needle.ts");
    expect(await run("search_files", { pattern: "nothing" })).toMatchObject({ status: "ok", result: "Nothing was found." });
    expect(await run("search_files", { pattern: "(" })).toMatchObject({ status: "error", result: expect.stringContaining("no regular expression") });
    expect(await run("search_files", { pattern: "x", path: ".." })).toMatchObject({ status: "error", result: expect.stringContaining("outside_workspace") });
    fixture.abort();
    expect(await run("search_files", { pattern: "needle" })).toMatchObject({ status: "cancelled" });
  });
});
