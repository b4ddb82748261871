import { symlink } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGlob } from "./ignore-rules";
import { createPatternScan } from "./pattern-scan";
import { searchPlaces, searchWorkspace } from "./search";
import { makeWorkspace, type WorkspaceFixture } from "./workspace-fixture";

let place: WorkspaceFixture;
beforeEach(async () => {
  place = await makeWorkspace();
});
afterEach(() => place.remove());

const never = new AbortController().signal;

async function search(source: string, more: { readonly path?: string; readonly glob?: string; readonly signal?: AbortSignal } = {}) {
  const found = createPatternScan(source);
  if (found.kind === "invalid") throw new Error(found.message);
  return searchPlaces({ workspace: place.workspace, path: "", signal: never, ...more, pattern: found.pattern });
}

describe("search", () => {
  it("finds lines and names, and leaves out what is ignored, linked, binary", async () => {
    await place.put(".gitignore", "dist/\n*.log\n");
    await place.put("src/needle.ts", "one\r\nthe needle is here\r\n");
    await place.put("src/.gitignore", "!keep.log\n");
    await place.put("src/keep.log", "needle");
    await place.put("dist/a.js", "needle");
    await place.put("b.log", "needle");
    await place.put("node_modules/x/a.js", "needle");
    await place.put(".git/config", "needle");
    await place.put("binary", Buffer.from("needle\0needle"));
    await symlink(place.outside, path.join(place.workspace, "link"));
    const { results, truncated } = await search("need.e");
    expect(truncated).toBe(false);
    expect(results).toEqual([
      { path: "src/keep.log", type: "file", line: 1, text: "needle" },
      { path: "src/needle.ts", type: "file", line: 2, text: "the needle is here" },
      { path: "src/needle.ts", type: "file", line: null, text: "needle.ts" },
    ]);
    expect((await search("secret")).results).toEqual([]);
  });

  it("searches an ignored folder, or one file, when asked for it", async () => {
    await place.put(".gitignore", "dist\n");
    await place.put("dist/a.js", "needle");
    await place.put("node_modules/x/a.js", "a\nneedle");
    expect((await search("needle", { path: "dist" })).results).toHaveLength(1);
    expect((await search("needle", { path: "node_modules/x" })).results).toMatchObject([{ path: "node_modules/x/a.js", line: 2 }]);
    expect((await search("needle", { path: "dist/a.js" })).results).toHaveLength(1);
    await expect(search("x", { path: "none" })).rejects.toMatchObject({ code: "not_found" });
    await expect(search("x", { path: "../outside" })).rejects.toMatchObject({ code: "outside_workspace" });
  });

  it("takes the person's text as it is, whatever its case", async () => {
    await place.put("a.txt", "costs $5 (more)\nGRÜN");
    expect((await searchWorkspace(place.workspace, "$5 (MORE)", never)).results).toHaveLength(1);
    expect((await searchWorkspace(place.workspace, "grün", never)).results).toMatchObject([{ line: 2 }]);
    expect((await searchWorkspace(place.workspace, "A.TXT", never)).results).toMatchObject([{ line: null }]);
    expect((await searchWorkspace(place.workspace, " ", never)).results).toEqual([]);
  });

  it("stops at enough, and shows a window of a long line", async () => {
    await place.put("many.txt", "hit\n".repeat(1000));
    expect(await search("hit")).toMatchObject({ results: { length: 200 }, truncated: true, ended: "enough" });
    await place.put("long.min.js", `${"x".repeat(50_000)}target${"y".repeat(50_000)}`);
    const [found] = (await search("target")).results;
    expect(found?.text).toContain("target");
    expect(found?.text.length).toBeLessThanOrEqual(300);
  });

  it("W6 gives up a pattern that would never end", async () => {
    await place.put("a.txt", `${"a".repeat(60)}b`);
    const began = performance.now();
    expect(await search("^(a+)+$")).toMatchObject({ results: [], ended: "too_slow" });
    expect(performance.now() - began).toBeLessThan(2000);
  });

  it("ends when it is told to", async () => {
    await place.put("a.txt", "hit");
    expect(await search("hit", { signal: AbortSignal.abort() })).toMatchObject({ results: [], truncated: true, ended: "limit" });
  });
});

it("globs as people write them", () => {
  expect(createGlob("*.{ts,tsx}")("src/deep/a.tsx")).toBe(true);
  expect(createGlob("src/**/*.ts")("src/deep/a.ts")).toBe(true);
  expect(createGlob("src/**/*.ts")("lib/a.ts")).toBe(false);
  expect(createGlob("./src/*.ts")("src/a.ts")).toBe(true);
});

it("says what is wrong with a pattern", () => {
  expect(createPatternScan("(")).toMatchObject({ kind: "invalid", message: expect.stringContaining("Unterminated group") });
});
