import { execFileSync } from "node:child_process";
import { rm, symlink } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { diffWorkspace } from "./diff";
import { makeWorkspace, type WorkspaceFixture } from "./workspace-fixture";

let place: WorkspaceFixture;
beforeEach(async () => {
  place = await makeWorkspace();
});
afterEach(() => place.remove());

const options = { signal: new AbortController().signal };

function git(...parameters: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...parameters], { cwd: place.workspace, stdio: "ignore" });
}

it("answers null where there is no repository", async () => {
  expect(await diffWorkspace(place.workspace, options)).toBeNull();
});

it("shows what changed, what is gone and what is new since the last commit", async () => {
  git("init", "-q");
  await place.put("a.txt", "one\ntwo\n");
  await place.put("gone.txt", "x\n");
  await place.put("sub/in.txt", "in\n");
  git("add", ".");
  git("commit", "-qm", "first");
  await place.put("a.txt", "one\n2\n3\n");
  await rm(path.join(place.workspace, "gone.txt"));
  await place.put("grün.txt", "new\nfile");
  await symlink(place.outside, path.join(place.workspace, "link"));
  const diff = await diffWorkspace(place.workspace, options);
  expect(diff).toMatchObject({ kind: "git", truncated: false });
  expect(diff?.files).toEqual([
    { path: "a.txt", kind: "changed", added: 2, removed: 1 },
    { path: "gone.txt", kind: "deleted", added: 0, removed: 1 },
    { path: "grün.txt", kind: "created", added: 2, removed: 0 },
  ]);
  expect(diff?.diff).toContain("-two\n+2\n+3\n");
  expect(diff?.diff).toContain("+++ b/grün.txt\n@@ -0,0 +1,2 @@\n+new\n+file\n\\ No newline at end of file\n");
  expect(diff?.diff).not.toContain("secret");
  await place.put("sub/in.txt", "out\n");
  expect((await diffWorkspace(path.join(place.workspace, "sub"), options))?.files).toMatchObject([{ path: "in.txt", added: 1, removed: 1 }]);
});

it("works before the first commit, and runs nothing that the repository asks for", async () => {
  git("init", "-q");
  await place.put("a.txt", "one\n");
  git("add", ".");
  git("config", "core.fsmonitor", `touch ${place.base}/ran`);
  git("config", "diff.external", `touch ${place.base}/ran`);
  expect(await diffWorkspace(place.workspace, options)).toMatchObject({ files: [{ path: "a.txt", kind: "created", added: 1, removed: 0 }] });
  expect(() => execFileSync("ls", [path.join(place.base, "ran")], { stdio: "ignore" })).toThrow();
});
