import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, symlink, writeFile as writeDirectly } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "#protocol/errors";
import { contain } from "./contain";
import { deletePath } from "./delete";
import { listFolder } from "./list";
import { makeFolder } from "./make-folder";
import { openFile, readFileView } from "./read";
import { readPlace } from "./read-place";
import { renamePath } from "./rename";
import { makeWorkspace, type WorkspaceFixture } from "./workspace-fixture";
import { writeFile } from "./write";

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

describe("W1 nothing outside the workspace is reached", () => {
  it("refuses dots, absolute paths and a home", async () => {
    for (const asked of ["..", "../outside/secret.txt", "a/../../outside", "/etc/passwd", place.outside, "~", "~/.ssh/id", `${place.workspace}x/a`]) {
      expect(await codeOf(contain(place.workspace, asked)), asked).toBe("outside_workspace");
    }
    expect(await codeOf(contain(place.workspace, "a\0b"))).toBe("invalid_request");
  });

  it("takes what stays inside, whatever way it was written", async () => {
    await place.put("src/a.ts", "a");
    for (const asked of ["src/a.ts", "./src/../src/a.ts", path.join(place.workspace, "src/a.ts"), "src//a.ts"]) {
      expect((await contain(place.workspace, asked)).relative, asked).toBe("src/a.ts");
    }
    expect(await contain(place.workspace, "")).toMatchObject({ relative: "", segments: [], real: place.workspace });
  });

  it("refuses each way through a link that leads outside (B231)", async () => {
    await symlink(place.outside, path.join(place.workspace, "l"));
    await symlink(path.join(place.outside, "secret.txt"), path.join(place.workspace, "file-link"));
    await symlink(path.join(place.outside, "not-there-yet"), path.join(place.workspace, "dangling"));
    await place.put("own.txt", "own");
    const { workspace } = place;
    const ways: readonly (readonly [string, () => Promise<unknown>])[] = [
      ["read", () => readFileView(workspace, "l/secret.txt")],
      ["read a link", () => readPlace(workspace, "file-link")],
      ["list", () => listFolder(workspace, "l")],
      ["open", () => openFile(workspace, "l/secret.txt")],
      ["write", () => writeFile(workspace, "l/new.txt", "x", { kind: "any" })],
      ["write a link", () => writeFile(workspace, "file-link", "x", { kind: "any" })],
      ["write a link to nothing", () => writeFile(workspace, "dangling", "x", { kind: "new" })],
      ["mkdir", () => makeFolder(workspace, "l/folder")],
      ["move out", () => renamePath(workspace, "own.txt", "l/own.txt")],
      ["move in", () => renamePath(workspace, "l/secret.txt", "mine.txt")],
      ["move the link", () => renamePath(workspace, "l", "m")],
      ["delete", () => deletePath(workspace, "l/secret.txt", true)],
    ];
    for (const [name, way] of ways) expect(await codeOf(way()), name).toBe("outside_workspace");
    expect(await readdir(place.outside)).toEqual(["secret.txt"]);
    expect(await readFile(path.join(place.outside, "secret.txt"), "utf8")).toBe("secret");
  });

  it("follows a link that stays inside, also to a file that is not there yet", async () => {
    await place.put("real/a.txt", "inside");
    await symlink("real", path.join(place.workspace, "link"));
    await symlink("real/new.txt", path.join(place.workspace, "to-new"));
    expect((await readFileView(place.workspace, "link/a.txt")).content).toBe("inside");
    await writeFile(place.workspace, "link/a.txt", "changed", { kind: "any" });
    await writeFile(place.workspace, "to-new", "made", { kind: "new" });
    expect(await readFile(path.join(place.workspace, "real/a.txt"), "utf8")).toBe("changed");
    expect(await readFile(path.join(place.workspace, "real/new.txt"), "utf8")).toBe("made");
    expect((await listFolder(place.workspace, "")).entries.map(({ name, type }) => [name, type])).toEqual([
      ["link", "dir"],
      ["real", "dir"],
      ["to-new", "file"],
    ]);
  });

  it("works in a workspace that is itself a link", async () => {
    await place.put("a.txt", "a");
    const link = path.join(place.base, "ws-link");
    await symlink(place.workspace, link);
    expect((await readFileView(link, "a.txt")).content).toBe("a");
    expect((await readFileView(link, path.join(link, "a.txt"))).content).toBe("a");
    expect((await readFileView(link, path.join(place.workspace, "a.txt"))).content).toBe("a");
    expect(await codeOf(readFileView(link, "../outside/secret.txt"))).toBe("outside_workspace");
  });

  it("ends with links that go in circles", async () => {
    await symlink("b", path.join(place.workspace, "a"));
    await symlink("a", path.join(place.workspace, "b"));
    expect(await codeOf(readFileView(place.workspace, "a"))).toBe("outside_workspace");
  });

  it("tells a workspace that is gone", async () => {
    expect(await codeOf(contain(path.join(place.base, "none"), "a"))).toBe("not_found");
    await writeDirectly(path.join(place.base, "file"), "");
    expect(await codeOf(contain(path.join(place.base, "file"), "a"))).toBe("not_found");
  });
});

/** The writer may make the folder anew while it is away, so each step lives with what it finds. */
const SWAPPER = `
  const { renameSync, symlinkSync, rmSync } = require("node:fs");
  const [folder, aside, outside] = process.argv.slice(1);
  const tryTo = (step) => { try { step(); return true; } catch { return false; } };
  const clear = () => { while (!tryTo(() => rmSync(folder, { recursive: true, force: true }))); };
  const dwell = () => { for (const until = performance.now() + 0.05 + Math.random() * 0.2; performance.now() < until; ); };
  for (;;) {
    if (!tryTo(() => renameSync(folder, aside))) clear();
    if (!tryTo(() => symlinkSync(outside, folder))) clear();
    dwell(); clear(); tryTo(() => renameSync(aside, folder)); dwell();
  }`;

it.runIf(process.platform === "linux")("W2 a folder swapped for a link between check and use is not followed", async () => {
  const { workspace, outside } = place;
  const folder = path.join(workspace, "folder");
  await place.put("folder/secret.txt", "mine");
  const swapper = spawn(process.execPath, ["-e", SWAPPER, folder, path.join(workspace, "aside"), outside], { stdio: "ignore" });
  const gone = once(swapper, "exit");
  try {
    for (let round = 0; round < 500; round += 1) {
      const ways = [
        readFileView(workspace, "folder/secret.txt").then(({ content }) => content),
        writeFile(workspace, "folder/secret.txt", "mine", { kind: "any" }).then(() => "mine"),
      ];
      for (const way of await Promise.allSettled(ways)) {
        if (way.status === "rejected") expect(way.reason).toBeInstanceOf(AppError);
        else expect(way.value).toBe("mine");
      }
    }
    expect(swapper.exitCode).toBeNull();
  } finally {
    swapper.kill("SIGKILL");
    await gone;
  }
  expect(await readFile(path.join(outside, "secret.txt"), "utf8")).toBe("secret");
  expect(await readdir(outside)).toEqual(["secret.txt"]);
});
