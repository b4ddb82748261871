import { mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeMemory } from "./memory";
import { listTexts, readProfileText, writeProfileText } from "./profile-texts";

let folder: string;
let home: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "texts-")));
  home = join(folder, "home");
  await mkdir(home);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const SKILL = "skills/release/SKILL.md";
const refused = (code: string) => expect.objectContaining({ code });

describe("a profile's texts", () => {
  it("are the same four kinds whether they are there or not", async () => {
    expect(await listTexts(home)).toEqual([
      { path: "SOUL.md", kind: "soul", name: "SOUL.md", description: null, size: null, room: null },
      { path: "memories/MEMORY.md", kind: "memory", name: "memories/MEMORY.md", description: null, size: null, room: { used: 0, limit: 2_200 } },
      { path: "memories/USER.md", kind: "user", name: "memories/USER.md", description: null, size: null, room: { used: 0, limit: 1_375 } },
    ]);
    await writeProfileText(home, "skills/notes/release/SKILL.md", "---\nname: release\ndescription: How to release.\n---\n", null);
    await changeMemory(home, { action: "add", target: "user", content: "likes tea" });
    expect((await listTexts(home)).slice(2)).toEqual([
      expect.objectContaining({ kind: "user", size: 9, room: { used: 9, limit: 1_375 } }),
      { path: "skills/notes/release/SKILL.md", kind: "skill", name: "release", description: "How to release.", size: 51, room: null },
    ]);
  });

  it("are written only over the version that was read", async () => {
    expect(await readProfileText(home, "SOUL.md")).toEqual({ path: "SOUL.md", content: "", mtime: null, max_bytes: 65_536 });
    const first = await writeProfileText(home, "SOUL.md", "You are calm.\n", null);
    expect((await stat(join(home, "SOUL.md"))).mode & 0o777).toBe(0o600);
    expect(await readProfileText(home, "SOUL.md")).toEqual(first);
    await expect(writeProfileText(home, "SOUL.md", "other", null)).rejects.toEqual(refused("changed_on_disk"));
    const second = await writeProfileText(home, "SOUL.md", "You are kind.\n", first.mtime);
    await utimes(join(home, "SOUL.md"), 1, 1);
    await expect(writeProfileText(home, "SOUL.md", "late", second.mtime)).rejects.toEqual(refused("changed_on_disk"));
    await rm(join(home, "SOUL.md"));
    await expect(writeProfileText(home, "SOUL.md", "late", second.mtime)).rejects.toEqual(refused("changed_on_disk"));
    expect(await readProfileText(home, "SOUL.md")).toMatchObject({ content: "", mtime: null });
  });

  it("what the agent notes meanwhile makes a save refuse", async () => {
    await changeMemory(home, { action: "add", target: "memory", content: "one" });
    const read = await readProfileText(home, "memories/MEMORY.md");
    await changeMemory(home, { action: "add", target: "memory", content: "two" });
    await expect(writeProfileText(home, "memories/MEMORY.md", "mine", read.mtime)).rejects.toEqual(refused("changed_on_disk"));
    expect(await readFile(join(home, "memories/MEMORY.md"), "utf8")).toBe("one\n§\ntwo");
  });

  it("no other name is one", async () => {
    const names = [".env", "config.yaml", "SOUL.md/", "./SOUL.md", "../home/SOUL.md", "/etc/passwd", "memories/OTHER.md", "skills/SKILL.md", "skills/../SKILL.md", "skills/.git/SKILL.md", "skills/a/b/c/SKILL.md", "skills/a\\b/SKILL.md", "skills/a\0/SKILL.md", `skills/${"x".repeat(65)}/SKILL.md`, ""];
    for (const name of names) {
      await expect(readProfileText(home, name), name).rejects.toEqual(refused("not_found"));
      await expect(writeProfileText(home, name, "x", null), name).rejects.toEqual(refused("not_found"));
    }
  });

  it("a link that leads out is neither read nor written, one that stays inside works", async () => {
    const away = join(folder, "away");
    await mkdir(join(away, "release"), { recursive: true });
    await writeFile(join(away, "secret"), "secret");
    await symlink(join(away, "secret"), join(home, "SOUL.md"));
    await mkdir(join(home, "skills"));
    await symlink(join(away, "release"), join(home, "skills", "release"));
    await symlink(join(away, "none"), join(home, "memories"));
    for (const path of ["SOUL.md", SKILL, "memories/USER.md"]) {
      await expect(readProfileText(home, path), path).rejects.toEqual(refused("outside_workspace"));
      await expect(writeProfileText(home, path, "x", null), path).rejects.toEqual(refused("outside_workspace"));
    }
    expect(await readFile(join(away, "secret"), "utf8")).toBe("secret");

    await rm(join(home, "SOUL.md"));
    await writeFile(join(home, ".env"), "A_KEY=secret");
    await symlink(".env", join(home, "SOUL.md"));
    await expect(readProfileText(home, "SOUL.md")).rejects.toEqual(refused("outside_workspace"));

    await rm(join(home, "SOUL.md"));
    await writeFile(join(home, "persona.md"), "calm");
    await symlink("persona.md", join(home, "SOUL.md"));
    const read = await readProfileText(home, "SOUL.md");
    await writeProfileText(home, "SOUL.md", "kind", read.mtime);
    expect(await readFile(join(home, "persona.md"), "utf8")).toBe("kind");
  });

  it("too long a text is neither read nor written", async () => {
    await expect(writeProfileText(home, "SOUL.md", "é".repeat(32_769), null)).rejects.toEqual(refused("too_large"));
    await writeFile(join(home, "SOUL.md"), "");
    await truncate(join(home, "SOUL.md"), 1024 ** 3);
    await expect(readProfileText(home, "SOUL.md")).rejects.toEqual(refused("too_large"));
    await rm(join(home, "SOUL.md"));
    await mkdir(join(home, "SOUL.md"));
    await expect(readProfileText(home, "SOUL.md")).rejects.toEqual(refused("conflict"));
  });
});
