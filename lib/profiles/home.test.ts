import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createProfile, deleteProfile, listProfiles, profileHome, renameProfile, requireProfile } from "./home";

let hermesHome: string;
beforeEach(async () => {
  hermesHome = await mkdtemp(join(tmpdir(), "home-"));
});
afterEach(async () => {
  await rm(hermesHome, { recursive: true, force: true });
});

const IMPOSSIBLE = ["../x", "/tmp/victim", "a%2fb", "..", ".", "", "A", "a b", "a\u0000", "a/b", "a\\b", "x".repeat(65), "x".repeat(10_000), "ä"];

describe("where profiles live", () => {
  it("the default is HERMES_HOME itself, others lie below profiles", () => {
    expect(profileHome("/h", "default")).toBe("/h");
    expect(profileHome("/h", "a_b-1")).toBe("/h/profiles/a_b-1");
    expect(profileHome("/h", "x".repeat(64))).toBe(`/h/profiles/${"x".repeat(64)}`);
  });

  it.each(IMPOSSIBLE)("%j is an unknown profile, and no name for a new one", async (name) => {
    expect(() => profileHome(hermesHome, name)).toThrow(expect.objectContaining({ code: "profile_not_found" }));
    await expect(deleteProfile(hermesHome, name)).rejects.toMatchObject({ code: "profile_not_found" });
    await expect(createProfile(hermesHome, { name })).rejects.toMatchObject({ code: "invalid_request", details: { issues: [{ path: "name" }] } });
  });

  it("a home is never made by looking for it", async () => {
    await expect(requireProfile(hermesHome, "a")).rejects.toMatchObject({ code: "profile_not_found" });
    expect(await listProfiles(hermesHome)).toEqual([{ name: "default", home: hermesHome }]);
    expect(await requireProfile(hermesHome, "default")).toBe(hermesHome);
  });
});

describe("creating", () => {
  it("makes an empty private home and lists it after the default, by name", async () => {
    await createProfile(hermesHome, { name: "work" });
    expect(await createProfile(hermesHome, { name: "home", clone_from: null })).toEqual({ name: "home", home: join(hermesHome, "profiles/home") });
    await mkdir(join(hermesHome, "profiles/Not a name"));
    await writeFile(join(hermesHome, "profiles/file"), "");
    expect((await listProfiles(hermesHome)).map((profile) => profile.name)).toEqual(["default", "home", "work"]);
    expect((await stat(join(hermesHome, "profiles/home"))).mode & 0o777).toBe(0o700);
  });

  it("clones config.yaml, .env and SOUL.md, and nothing else", async () => {
    await writeFile(join(hermesHome, "config.yaml"), "model: m # mine\n");
    await writeFile(join(hermesHome, ".env"), "A=1\n", { mode: 0o600 });
    await mkdir(join(hermesHome, "memories"));
    await writeFile(join(hermesHome, "memories/MEMORY.md"), "secret");
    const { home } = await createProfile(hermesHome, { name: "b", clone_from: "default" });
    expect(await readFile(join(home, "config.yaml"), "utf8")).toBe("model: m # mine\n");
    expect((await stat(join(home, ".env"))).mode & 0o777).toBe(0o600);
    await expect(stat(join(home, "SOUL.md"))).rejects.toThrow();
    await expect(stat(join(home, "memories"))).rejects.toThrow();
  });

  it("a taken name is a conflict, an unknown source is not found, and neither leaves anything", async () => {
    await createProfile(hermesHome, { name: "a" });
    await expect(createProfile(hermesHome, { name: "a" })).rejects.toMatchObject({ code: "conflict" });
    await expect(createProfile(hermesHome, { name: "default" })).rejects.toMatchObject({ code: "conflict" });
    await expect(createProfile(hermesHome, { name: "b", clone_from: "nobody" })).rejects.toMatchObject({ code: "profile_not_found" });
    await expect(createProfile(hermesHome, { name: "b", clone_from: "../.." })).rejects.toMatchObject({ code: "profile_not_found" });
    expect((await listProfiles(hermesHome)).map((profile) => profile.name)).toEqual(["default", "a"]);
  });

  it("of two at one moment exactly one gets the name", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => createProfile(hermesHome, { name: "a" })));
    expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
  });
});

describe("renaming", () => {
  it("takes everything along", async () => {
    const { home } = await createProfile(hermesHome, { name: "a" });
    await writeFile(join(home, "SOUL.md"), "me");
    expect(await renameProfile(hermesHome, "a", "b")).toEqual({ name: "b", home: join(hermesHome, "profiles/b") });
    expect(await readFile(join(hermesHome, "profiles/b/SOUL.md"), "utf8")).toBe("me");
    await expect(requireProfile(hermesHome, "a")).rejects.toMatchObject({ code: "profile_not_found" });
    expect(await renameProfile(hermesHome, "b", "b")).toEqual({ name: "b", home: join(hermesHome, "profiles/b") });
  });

  it("refuses the default, a taken name and a bad one", async () => {
    await createProfile(hermesHome, { name: "a" });
    await createProfile(hermesHome, { name: "b" });
    await expect(renameProfile(hermesHome, "default", "c")).rejects.toMatchObject({ code: "conflict" });
    await expect(renameProfile(hermesHome, "a", "b")).rejects.toMatchObject({ code: "conflict" });
    await expect(renameProfile(hermesHome, "a", "default")).rejects.toMatchObject({ code: "conflict" });
    await expect(renameProfile(hermesHome, "a", "../b")).rejects.toMatchObject({ code: "invalid_request", details: { issues: [{ path: "new_name" }] } });
    await expect(renameProfile(hermesHome, "nobody", "c")).rejects.toMatchObject({ code: "profile_not_found" });
    expect((await listProfiles(hermesHome)).map((profile) => profile.name)).toEqual(["default", "a", "b"]);
  });
});

describe("B234: deleting", () => {
  it("never follows a link out of the profile", async () => {
    const outside = await mkdtemp(join(tmpdir(), "keep-"));
    await writeFile(join(outside, "keep.txt"), "kept");
    const { home } = await createProfile(hermesHome, { name: "a" });
    await symlink(outside, join(home, "link"));
    await symlink(outside, join(hermesHome, "profiles/b"));
    await deleteProfile(hermesHome, "a");
    await deleteProfile(hermesHome, "b");
    expect(await readFile(join(outside, "keep.txt"), "utf8")).toBe("kept");
    expect((await listProfiles(hermesHome)).map((profile) => profile.name)).toEqual(["default"]);
    await rm(outside, { recursive: true });
  });

  it("refuses the default and does not know what is not there", async () => {
    await writeFile(join(hermesHome, "config.yaml"), "a: 1\n");
    await expect(deleteProfile(hermesHome, "default")).rejects.toMatchObject({ code: "conflict" });
    await expect(deleteProfile(hermesHome, "a")).rejects.toMatchObject({ code: "profile_not_found" });
    expect(await readFile(join(hermesHome, "config.yaml"), "utf8")).toBe("a: 1\n");
  });
});
