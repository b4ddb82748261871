import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { childEnv, overEnvironment, readEnvFile, secretValues } from "./env-file";
import { listSkills, readSkill } from "./skills";
import { readSoul } from "./soul";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "skills-"));
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await writeFile(join(home, path), text);
}

describe("skills", () => {
  it("are found one and two folders deep, by the name in their head or of their folder", async () => {
    await put("skills/plain/SKILL.md", "no head\n");
    await put("skills/dev/review/SKILL.md", "---\nname: code-review\ndescription: >\n  How to\n  review\nplatforms: []\n---\nBody\n");
    await put("skills/dev/notes.md", "not a skill");
    await put("skills/.hidden/SKILL.md", "---\nname: hidden\n---\n");
    await put("skills/a/b/c/SKILL.md", "---\nname: too-deep\n---\n");
    expect(await listSkills(home)).toEqual([
      { name: "code-review", description: "How to review", category: "dev" },
      { name: "plain", description: "", category: null },
    ]);
    expect(await readSkill(home, "code-review")).toMatchObject({ status: "read", text: expect.stringContaining("Body") });
  });

  it("for other systems are left out", async () => {
    await put("skills/a/SKILL.md", "---\nname: a\nplatforms: [solaris]\n---\n");
    await put("skills/b/SKILL.md", `---\nname: b\nplatforms: [linux, macos, windows]\n---\n`);
    expect((await listSkills(home)).map((skill) => skill.name)).toEqual(["b"]);
  });

  it("with a broken head are still there, of two with one name the first counts", async () => {
    await put("skills/a/SKILL.md", "---\nname: [x\n---\n");
    await put("skills/b/SKILL.md", "---\nname: same\ndescription: one\n---\n");
    await put("skills/c/SKILL.md", "---\nname: same\ndescription: two\n---\n");
    expect(await listSkills(home)).toMatchObject([{ name: "a" }, { name: "same", description: "one" }]);
  });

  it("none at all is an empty list", async () => {
    expect(await listSkills(home)).toEqual([]);
    expect(await readSkill(home, "x")).toMatchObject({ status: "refused", reason: "not_found" });
  });

  it("a file of a skill is read, but nothing outside of its folder", async () => {
    await put("skills/a/SKILL.md", "---\nname: a\n---\n");
    await put("skills/a/references/x.md", "reference");
    await put("skills/ab/secret.md", "secret");
    await put(".env", "TOKEN=x");
    await symlink(join(home, ".env"), join(home, "skills/a/link"));
    expect(await readSkill(home, "a", "references/x.md")).toEqual({ status: "read", text: "reference" });
    for (const file of ["../../.env", "../ab/secret.md", "link", "/etc/passwd", "."]) expect(await readSkill(home, "a", file)).toMatchObject({ status: "refused" });
    expect(await readSkill(home, "a", "link")).toMatchObject({ reason: "outside" });
    expect(await readSkill(home, "a", "references")).toMatchObject({ reason: "unreadable" });
    expect(await readSkill(home, "a", "none.md")).toMatchObject({ reason: "not_found" });
    expect(await readSkill(home, "../a")).toMatchObject({ reason: "not_found" });
    await truncate(join(home, "skills/a/references/x.md"), 1024 ** 3);
    expect(await readSkill(home, "a", "references/x.md")).toMatchObject({ reason: "too_large" });
  });
});

describe("SOUL.md", () => {
  it("is the trimmed text, or nothing", async () => {
    expect(await readSoul(home)).toBeNull();
    await put("SOUL.md", "\n \n");
    expect(await readSoul(home)).toBeNull();
    await put("SOUL.md", "\uFEFFYou are calm.\n");
    expect(await readSoul(home)).toBe("You are calm.");
    await truncate(join(home, "SOUL.md"), 1024 ** 3);
    expect(await readSoul(home)).toBeNull();
  });
});

describe(".env", () => {
  const TEXT = "\uFEFF# mine\nOPENAI_API_KEY=sk-canary-1234\nexport GH_TOKEN='ghp_canary \"x\"'\nDB_PASSWORD=short\nmy_secret=also-a-secret\nCITY=Ulm # note\nHERMES_X=1\nEMPTY_KEY=\nMULTI=\"a\\nb\"\n";

  it("is parsed without touching the process", async () => {
    await put(".env", TEXT);
    const env = await readEnvFile(home);
    expect(env).toEqual({ OPENAI_API_KEY: "sk-canary-1234", GH_TOKEN: 'ghp_canary "x"', DB_PASSWORD: "short", my_secret: "also-a-secret", CITY: "Ulm", HERMES_X: "1", EMPTY_KEY: "", MULTI: "a\nb" });
    expect(Object.values(process.env)).not.toContain("sk-canary-1234");
  });

  it("secrets are long values under telling names; children get the rest, nothing of ours", async () => {
    await put(".env", TEXT);
    const env = await readEnvFile(home);
    expect(secretValues(env)).toEqual(["sk-canary-1234", 'ghp_canary "x"', "also-a-secret"]);
    expect(childEnv(env)).toEqual({ CITY: "Ulm", MULTI: "a\nb" });
  });

  it("beats the process's values; the key of the process's server goes to no other address", () => {
    const base = { HERMES_MODEL_BASE_URL: "http://a/v1", HERMES_MODEL_API_KEY: "of-a", HERMES_MODEL: "m" };
    expect(overEnvironment(base, { HERMES_MODEL: "n" })).toEqual({ ...base, HERMES_MODEL: "n" });
    expect(overEnvironment(base, { HERMES_MODEL_BASE_URL: "http://b/v1" })).toEqual({ HERMES_MODEL_BASE_URL: "http://b/v1", HERMES_MODEL: "m" });
    expect(overEnvironment(base, { HERMES_MODEL_BASE_URL: "http://b/v1", HERMES_MODEL_API_KEY: "of-b" })).toMatchObject({ HERMES_MODEL_API_KEY: "of-b" });
    expect(overEnvironment({}, {})).toEqual({});
  });

  it("none, or one that is a folder or far too large, is empty", async () => {
    expect(await readEnvFile(home)).toEqual({});
    await mkdir(join(home, ".env"));
    expect(await readEnvFile(home)).toEqual({});
    await rm(join(home, ".env"), { recursive: true });
    await put(".env", "A=1\n");
    await truncate(join(home, ".env"), 1024 ** 3);
    expect(await readEnvFile(home)).toEqual({});
  });
});
