import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, truncate, utimes } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "#protocol/errors";
import { deletePath, deleteTree } from "./delete";
import { listFolder } from "./list";
import { makeFolder } from "./make-folder";
import { readFileView } from "./read";
import { readPlace } from "./read-place";
import { renamePath } from "./rename";
import { makeWorkspace, type WorkspaceFixture } from "./workspace-fixture";
import { conditionOfMtime, writeFile } from "./write";

let place: WorkspaceFixture;
beforeEach(async () => {
  place = await makeWorkspace();
});
afterEach(() => place.remove());

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "no error";
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

describe("listing and reading", () => {
  it("lists folders first and counts as people do", async () => {
    for (const name of ["a10.txt", "a2.txt", "b/x", "Ä.txt"]) await place.put(name, "12345");
    const view = await listFolder(place.workspace, "");
    expect(view.entries.map(({ name }) => name)).toEqual(["b", "Ä.txt", "a2.txt", "a10.txt"]);
    const entry = view.entries.find(({ name }) => name === "a2.txt");
    expect(entry).toMatchObject({ path: "a2.txt", type: "file", size: 5 });
    expect(Math.abs((entry?.mtime ?? 0) - (await stat(path.join(place.workspace, "a2.txt"))).mtimeMs / 1000)).toBeLessThan(0.001);
    expect((await listFolder(place.workspace, "b")).entries[0]?.path).toBe("b/x");
    expect(await listFolder(place.workspace, "", 2)).toMatchObject({ truncated: true, entries: { length: 2 } });
  });

  it("answers text as text, anything else as base64, and cuts between characters", async () => {
    await place.put("text.txt", "grün\r\n中文");
    await place.put("latin.txt", Buffer.from([0x61, 0xe9, 0x62]));
    await place.put("nul.bin", Buffer.from([0x61, 0, 0x62]));
    await place.put("empty", "");
    expect(await readPlace(place.workspace, "text.txt")).toMatchObject({ type: "file", content: "grün\r\n中文", encoding: "utf8", truncated: false });
    expect(await readFileView(place.workspace, "latin.txt")).toMatchObject({ content: Buffer.from([0x61, 0xe9, 0x62]).toString("base64"), encoding: "base64" });
    expect(await readFileView(place.workspace, "nul.bin")).toMatchObject({ encoding: "base64", size: 3 });
    expect(await readFileView(place.workspace, "empty")).toMatchObject({ content: "", encoding: "utf8", truncated: false });
    expect(await readFileView(place.workspace, "text.txt", 9)).toMatchObject({ content: "grün\r\n", encoding: "utf8", truncated: true, size: 13 });
  });

  it("W3 refuses in bounded time what is no file, and shows the start of what is huge (B199)", async () => {
    const { workspace } = place;
    execFileSync("mkfifo", [path.join(workspace, "fifo")]);
    await symlink("/dev/zero", path.join(workspace, "zero"));
    await truncate(await place.put("sparse", ""), 5 * 1024 ** 3);
    const server = createServer().listen(path.join(workspace, "socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    const before = process.memoryUsage().rss;
    const began = performance.now();
    expect(await codeOf(readPlace(workspace, "fifo"))).toBe("invalid_request");
    expect(await codeOf(readPlace(workspace, "socket"))).toBe("invalid_request");
    expect(await codeOf(readPlace(workspace, "zero"))).toBe("outside_workspace");
    expect(await readPlace(workspace, "sparse")).toMatchObject({ type: "file", size: 5 * 1024 ** 3, truncated: true });
    expect(await codeOf(readFileView(workspace, ""))).toBe("invalid_request");
    expect(performance.now() - began).toBeLessThan(3000);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    const types = new Map((await listFolder(workspace, "")).entries.map(({ name, type }) => [name, type]));
    expect(Object.fromEntries(types)).toEqual({ fifo: "other", socket: "other", zero: "link", sparse: "file" });
    await new Promise((resolve) => server.close(resolve));
  });

  it("tells what is missing", async () => {
    await place.put("file", "");
    expect(await codeOf(readPlace(place.workspace, "nothing"))).toBe("not_found");
    expect(await codeOf(readPlace(place.workspace, "file/below"))).toBe("not_found");
    expect(await codeOf(listFolder(place.workspace, "file"))).toBe("not_found");
  });
});

describe("W4 writing", () => {
  it("keeps the mode, leaves no temporary file, and makes missing folders", async () => {
    const script = await place.put("run.sh", "old");
    await chmod(script, 0o755);
    const written = await writeFile(place.workspace, "run.sh", "new", { kind: "any" });
    expect(written.created).toBe(false);
    expect((await stat(script)).mode & 0o777).toBe(0o755);
    expect((await writeFile(place.workspace, "deep/er/a.txt", "a", { kind: "new" })).created).toBe(true);
    expect(await readFile(path.join(place.workspace, "deep/er/a.txt"), "utf8")).toBe("a");
    expect((await readdir(place.workspace)).toSorted()).toEqual(["deep", "run.sh"]);
  });

  it("saves over the version that was opened, and over no other", async () => {
    const file = await place.put("a.txt", "one");
    const opened = await readFileView(place.workspace, "a.txt");
    const saved = await writeFile(place.workspace, "a.txt", "two", conditionOfMtime(JSON.parse(JSON.stringify(opened.mtime))));
    expect(saved.entry.mtime).toBeGreaterThanOrEqual(opened.mtime);
    await utimes(file, 1000, 1000.5);
    expect(await codeOf(writeFile(place.workspace, "a.txt", "three", conditionOfMtime(saved.entry.mtime)))).toBe("changed_on_disk");
    expect(await codeOf(writeFile(place.workspace, "a.txt", "three", conditionOfMtime(null)))).toBe("changed_on_disk");
    expect(await codeOf(writeFile(place.workspace, "gone.txt", "x", conditionOfMtime(1000.5)))).toBe("changed_on_disk");
    expect(await readFile(file, "utf8")).toBe("two");
    await writeFile(place.workspace, "a.txt", "four", conditionOfMtime(1000.5));
    expect(await readFile(file, "utf8")).toBe("four");
  });

  it("lets one of many writers of a new file win", async () => {
    const tries = Array.from({ length: 20 }, (_, index) => codeOf(writeFile(place.workspace, "new.txt", `by ${index}`, { kind: "new" })));
    const codes = await Promise.all(tries);
    expect(codes.filter((code) => code === "no error")).toHaveLength(1);
    expect(codes.filter((code) => code === "changed_on_disk")).toHaveLength(19);
    expect(await readdir(place.workspace)).toEqual(["new.txt"]);
    expect(await readFile(path.join(place.workspace, "new.txt"), "utf8")).toBe(`by ${codes.indexOf("no error")}`);
  });

  it("does not write over a folder or a pipe", async () => {
    await mkdir(path.join(place.workspace, "folder"));
    execFileSync("mkfifo", [path.join(place.workspace, "fifo")]);
    expect(await codeOf(writeFile(place.workspace, "folder", "x", { kind: "any" }))).toBe("invalid_request");
    expect(await codeOf(writeFile(place.workspace, "fifo", "x", { kind: "any" }))).toBe("invalid_request");
    expect(await codeOf(writeFile(place.workspace, "", "x", { kind: "any" }))).toBe("invalid_request");
  });
});

describe("folders, names, deleting", () => {
  it("makes a folder once", async () => {
    expect(await makeFolder(place.workspace, "a/b")).toMatchObject({ name: "b", path: "a/b", type: "dir" });
    expect(await codeOf(makeFolder(place.workspace, "a/b"))).toBe("conflict");
  });

  it("renames without overwriting", async () => {
    await place.put("a.txt", "a");
    await place.put("b.txt", "b");
    expect(await codeOf(renamePath(place.workspace, "a.txt", "b.txt"))).toBe("conflict");
    await expect(renamePath(place.workspace, "none", "c")).rejects.toMatchObject({ code: "not_found", message: expect.stringContaining("none") });
    expect(await renamePath(place.workspace, "a.txt", "sub/c.txt")).toMatchObject({ path: "sub/c.txt", size: 1 });
    expect(await codeOf(renamePath(place.workspace, "sub", "sub/sub"))).toBe("conflict");
    expect((await readdir(place.workspace)).toSorted()).toEqual(["b.txt", "sub"]);
  });

  it("W5 deletes links as links, and full folders only when told (B234)", async () => {
    const { workspace, outside } = place;
    await place.put("full/deep/a.txt", "a");
    await symlink(outside, path.join(workspace, "full/deep/keep"));
    await symlink(outside, path.join(workspace, "link"));
    expect(await codeOf(deletePath(workspace, "full", false))).toBe("conflict");
    await deletePath(workspace, "link", true);
    await deletePath(workspace, "full", true);
    expect(await codeOf(deletePath(workspace, "full", true))).toBe("not_found");
    expect(await codeOf(deletePath(workspace, "", true))).toBe("invalid_request");
    expect(await readdir(workspace)).toEqual([]);
    expect(await readdir(outside)).toEqual(["secret.txt"]);
  });

  it("removes a tree of our own, twice, without following links", async () => {
    await place.put("tree/a/b", "");
    await symlink(place.outside, path.join(place.workspace, "tree/a/keep"));
    await deleteTree(path.join(place.workspace, "tree"));
    await deleteTree(path.join(place.workspace, "tree"));
    await symlink(place.outside, path.join(place.workspace, "tree"));
    await deleteTree(path.join(place.workspace, "tree"));
    await expect(lstat(path.join(place.workspace, "tree"))).rejects.toThrow("ENOENT");
    expect(await readdir(place.outside)).toEqual(["secret.txt"]);
  });
});
