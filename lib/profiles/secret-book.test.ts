import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { editEnv } from "./edit-env";
import { SecretBook } from "./secret-book";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "secret-book-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

it("a saved key is known at the next look, and stays known when it is replaced or taken out", async () => {
  let now = 0;
  const book = new SecretBook(() => now);
  const look = (): readonly string[] => {
    now += 1_000;
    return book.of(home);
  };
  expect(look()).toEqual([]);
  await editEnv(home, { OPENAI_API_KEY: "a-first-key", NAME: "not a secret" });
  expect(book.of(home)).toEqual([]);
  expect(look()).toEqual(["a-first-key"]);
  await editEnv(home, { OPENAI_API_KEY: "a-second-key" });
  expect(look()).toEqual(["a-second-key", "a-first-key"]);
  const before = book.of(home);
  await editEnv(home, { OPENAI_API_KEY: null });
  expect(look()).toBe(before);
});

it("a file that is none, or too large, says nothing", async () => {
  const book = new SecretBook();
  await writeFile(join(home, ".env"), `A_KEY=long-enough-value\n${"#".repeat(2 * 1024 * 1024)}`);
  expect(book.of(home)).toEqual([]);
  expect(book.of(join(home, "none"))).toEqual([]);
});

it("all profiles together, those made meanwhile too", async () => {
  let now = 0;
  const book = new SecretBook(() => now);
  await editEnv(home, { A_KEY: "of-the-default-one" });
  expect(book.ofAll(home)).toEqual(["of-the-default-one"]);
  await mkdir(join(home, "profiles", "work"), { recursive: true });
  await editEnv(join(home, "profiles", "work"), { A_KEY: "of-the-other-one" });
  now += 1_000;
  expect(book.ofAll(home)).toEqual(["of-the-default-one", "of-the-other-one"]);
});
