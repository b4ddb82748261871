import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { addAllow } from "./config-settings";
import { editFile, readText } from "./edit-file";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "edit-file-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("reading within bounds", () => {
  it("tells a file, no file, a folder, a pipe and a file that is too large apart, and never hangs", async () => {
    const file = join(folder, "f");
    await writeFile(file, "text");
    expect(await readText(file, 100)).toEqual({ status: "read", text: "text" });
    expect(await readText(join(folder, "none"), 100)).toEqual({ status: "missing" });
    expect(await readText(join(file, "below"), 100)).toEqual({ status: "missing" });
    expect((await readText(folder, 100)).status).toBe("unreadable");
    expect(await readText("/dev/zero", 100)).toEqual({ status: "unreadable", reason: "it is not a file" });
    spawnSync("mkfifo", [join(folder, "pipe")]);
    expect(await readText(join(folder, "pipe"), 100)).toEqual({ status: "unreadable", reason: "it is not a file" });
    await truncate(file, 5 * 1024 ** 3);
    expect(await readText(file, 100)).toEqual({ status: "too_large", size: 5 * 1024 ** 3 });
  });
});

describe("editing", () => {
  it("writers at one moment all get their change in, one after the other", async () => {
    const file = join(folder, "f");
    await writeFile(file, "");
    await Promise.all(
      Array.from({ length: 30 }, (_, number) => editFile(file, async () => ({ text: `${await readFile(file, "utf8")}${number}\n`, result: null }))),
    );
    expect((await readFile(file, "utf8")).trim().split("\n").map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, number) => number));
    expect(await readdir(folder)).toEqual(["f"]);
  });

  it("keeps the file's mode, makes a new one private, and leaves a link a link", async () => {
    const file = join(folder, "f");
    await writeFile(file, "a", { mode: 0o640 });
    await symlink(file, join(folder, "link"));
    await editFile(join(folder, "link"), async () => ({ text: "b", result: null }));
    expect((await lstat(join(folder, "link"))).isSymbolicLink()).toBe(true);
    expect(await readFile(file, "utf8")).toBe("b");
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    await editFile(join(folder, "new"), async () => ({ text: "c", result: null }));
    expect((await stat(join(folder, "new"))).mode & 0o777).toBe(0o600);
  });

  it("a change that fails leaves file and lock as they were", async () => {
    const file = join(folder, "f");
    await writeFile(file, "a");
    await expect(editFile(file, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await readFile(file, "utf8")).toBe("a");
    expect(await readdir(folder)).toEqual(["f"]);
  });

  it("takes over the lock of a process that died, and one that nobody can still hold", async () => {
    const lock = join(folder, ".f.workbench-lock");
    const dead = spawnSync(process.execPath, ["-e", ""]).pid;
    await writeFile(lock, String(dead));
    expect(await editFile(join(folder, "f"), async () => ({ text: "a", result: "done" }))).toBe("done");
    await writeFile(lock, String(process.pid));
    const long = Date.now() / 1000 - 60;
    await utimes(lock, long, long);
    expect(await editFile(join(folder, "f"), async () => ({ text: "b", result: "done" }))).toBe("done");
  });

  it("says that the profile is gone when its folder is", async () => {
    await expect(editFile(join(folder, "gone", "f"), async () => ({ text: "a", result: null }))).rejects.toMatchObject({ code: "profile_not_found" });
  });
});

describe("B120: kill -9 in the middle of saves", () => {
  const ROOT = fileURLToPath(new URL("../../", import.meta.url));

  function startSaving(): ChildProcess {
    const script = `
      import { addAllow } from ${JSON.stringify(join(ROOT, "lib/profiles/config-settings.ts"))};
      for (let number = 0; ; number += 1) { await addAllow(${JSON.stringify(folder)}, "entry " + process.pid + " " + number); if (number === 0) console.log("saving"); }
    `;
    return spawn(process.execPath, ["--import", pathToFileURL(join(ROOT, "node_modules/tsx/dist/esm/index.mjs")).href, "--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  }

  it("the file always parses, with what was there before, and can be edited at once", async () => {
    await writeFile(join(folder, "config.yaml"), "# mine\nother: 1\ncommand_allowlist:\n  - first\n");
    for (let round = 0; round < 4; round += 1) {
      const child = startSaving();
      await once(child.stdout ?? child, "data");
      const before = (await stat(join(folder, "config.yaml"))).mtimeMs;
      await expect.poll(async () => (await stat(join(folder, "config.yaml"))).mtimeMs, { interval: 3 + round }).toBeGreaterThan(before);
      child.kill("SIGKILL");
      await once(child, "exit");
      const text = await readFile(join(folder, "config.yaml"), "utf8");
      expect(text).toMatch(/^# mine\nother: 1\n/);
      expect(parse(text).command_allowlist[0]).toBe("first");
    }
    expect(await addAllow(folder, "last")).toEqual({ status: "saved" });
    expect((await readdir(folder)).filter((name) => name.includes("workbench"))).toEqual([]);
  }, 60_000);
});
