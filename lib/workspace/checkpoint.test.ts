import { execFileSync } from "node:child_process";
import { access, mkdir, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createIdFactory, type SessionId } from "#protocol/ids";
import { deleteCheckpoints, keepPrevious } from "./checkpoint";
import type { WorkspaceDiff } from "#protocol/file-shapes";
import { diffWorkspace } from "./diff";
import { makeWorkspace, type WorkspaceFixture } from "./workspace-fixture";

const createId = createIdFactory();
let place: WorkspaceFixture;
let state: string;
let session: SessionId;
let run: string;
beforeEach(async () => {
  place = await makeWorkspace();
  state = path.join(place.base, "state");
  await mkdir(state);
  session = createId("ses");
  run = createId("run");
});
afterEach(() => place.remove());

/** A change as a file tool makes it: what was there is kept first. */
async function change(name: string, after: string | Uint8Array, runId = run): Promise<void> {
  const file = path.join(place.workspace, name);
  const bytes = await readFile(file).catch(() => null);
  await keepPrevious({ state_dir: state, session_id: session, run_id: runId }, place.workspace, name, { exists: bytes !== null, bytes });
  await place.put(name, after);
}

function diff(workspace = place.workspace): Promise<WorkspaceDiff | null> {
  return diffWorkspace(workspace, { signal: new AbortController().signal, checkpoint: { state_dir: state, session_id: session } });
}

it("shows what a run did to a workspace without git, in the shape of git's", async () => {
  await place.put("a.txt", "one\ntwo\n");
  await place.put("gone.txt", "x\n");
  await place.put("same.txt", "same");
  expect(await diff()).toBeNull();
  await change("./a.txt", "one\n2\n");
  await change("a.txt", "one\n2\n3");
  await change("sub/new.txt", "new\n");
  await change("gone.txt", "y\n");
  await rm(path.join(place.workspace, "gone.txt"));
  await change("same.txt", "other");
  await change("same.txt", "same");
  expect(await diff()).toEqual({
    kind: "checkpoint",
    files: [
      { path: "a.txt", kind: "changed", added: 2, removed: 1 },
      { path: "gone.txt", kind: "deleted", added: 0, removed: 1 },
      { path: "sub/new.txt", kind: "created", added: 1, removed: 0 },
    ],
    diff: [
      "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3\n\\ No newline at end of file\n",
      "diff --git a/gone.txt b/gone.txt\ndeleted file mode 100644\n--- a/gone.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n",
      "diff --git a/sub/new.txt b/sub/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/sub/new.txt\n@@ -0,0 +1,1 @@\n+new\n",
    ].join(""),
    truncated: false,
  });
});

it("is a patch that git itself can take back", async () => {
  await place.put("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12");
  await place.put("empty.txt", "");
  await change("a.txt", "1\nzwei\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n");
  await change("grün b.txt", "ä\n");
  await change("empty.txt", "full\n");
  execFileSync("git", ["apply", "--reverse", "-"], { cwd: place.workspace, input: (await diff())?.diff });
  expect(await readFile(path.join(place.workspace, "a.txt"), "utf8")).toBe("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12");
  expect(await readFile(path.join(place.workspace, "empty.txt"), "utf8")).toBe("");
  await expect(access(path.join(place.workspace, "grün b.txt"))).rejects.toThrow();
  expect((await diff())?.files).toEqual([]);
});

it("is that of the latest run that changed something, and of this workspace", async () => {
  await place.put("a.txt", "one\n");
  await change("a.txt", "two\n");
  const later = createId("run");
  await change("a.txt", "three\n", later);
  expect((await diff())?.diff).toContain("-two\n+three\n");
  expect(await readdir(path.join(state, "checkpoints", session))).toEqual([later]);
  expect(await diff(place.outside)).toBeNull();
});

it("git's own answer comes first where there is a repository", async () => {
  await change("a.txt", "one\n");
  execFileSync("git", ["init", "-q"], { cwd: place.workspace });
  expect(await diff()).toMatchObject({ kind: "git", files: [{ path: "a.txt", kind: "created", added: 1, removed: 0 }] });
});

it("is bounded: what is too big is named without its text, and a run keeps at most 50 MiB", async () => {
  await place.put("big.bin", Buffer.alloc(2 * 1024 * 1024 + 1, 65));
  await change("big.bin", "small");
  for (let count = 0; count < 26; count += 1) {
    await place.put(`f${count}`, Buffer.alloc(2 * 1024 * 1024, 66));
    await change(`f${count}`, "small");
  }
  const folder = path.join(state, "checkpoints", session, run);
  const kept = (await readdir(folder)).filter((name) => name.endsWith(".bytes"));
  expect(kept).toHaveLength(25);
  expect((await stat(path.join(folder, kept[0] ?? ""))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  const found = await diff();
  expect(found?.truncated).toBe(true);
  expect(found?.files).toHaveLength(27);
  expect(found?.diff).toContain("diff --git a/big.bin b/big.bin\n");
}, 30_000);

it("shows no text of binary files, of a file that grew huge, nor of what lies outside", async () => {
  await place.put("b.bin", Buffer.from([0, 1, 2]));
  await change("b.bin", Buffer.from([0, 1, 3]));
  await change("huge.txt", "x");
  await place.put("huge.txt", Buffer.alloc(5 * 1024 * 1024, 65));
  await change("link.txt", "mine\n");
  await rm(path.join(place.workspace, "link.txt"));
  await symlink(path.join(place.outside, "secret.txt"), path.join(place.workspace, "link.txt"));
  const found = await diff();
  expect(found?.diff).toContain("Binary files a/b.bin and b/b.bin differ\n");
  expect(found?.diff).not.toContain("secret");
  expect(found?.files.map(({ path: name, kind }) => [name, kind])).toEqual([["b.bin", "changed"], ["huge.txt", "created"], ["link.txt", "created"]]);
});

it("goes with its session", async () => {
  await change("a.txt", "one\n");
  await deleteCheckpoints(state, session);
  expect(await diff()).toBeNull();
  expect(await readdir(path.join(state, "checkpoints"))).toEqual([]);
  await deleteCheckpoints(state, session);
});
