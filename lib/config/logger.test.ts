import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLogFile } from "./log-file";
import { createLogger } from "./logger";
import { openStateDirectory } from "./state-directory";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "logger-"));
  openStateDirectory(root);
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

test("an entry is one JSON line, here and there, without the secret, whatever it is made of", () => {
  const lines: string[] = [];
  const secret = `pa"ss\\word`;
  const logger = createLogger({
    process: "web",
    stateDirectory: root,
    level: "info",
    redact: (text) => text.replaceAll(secret, "[redacted]"),
    writeLine: (line) => lines.push(line),
  });
  logger.debug("not wanted");
  logger.warn({ request_id: "r1", cause: new Error(`wrong ${secret}`), list: [{ key: secret }] }, `sent ${secret}`);
  const file = readFileSync(join(root, "logs/web.log"), "utf8");
  expect(lines.join("")).toBe(file);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(file)).toMatchObject({ level: "warn", process: "web", request_id: "r1", list: [{ key: "[redacted]" }], msg: "sent [redacted]" });
  expect(file).not.toContain("word");
  expect(statSync(join(root, "logs/web.log")).mode & 0o777).toBe(0o600);
});

test("the file is bounded: older lines move to numbered files, the oldest go", () => {
  const path = join(root, "logs/web.log");
  const log = openLogFile(path, { maxBytes: 100, kept: 2 });
  for (let number = 0; number < 50; number += 1) log.write(`line ${number} ${"x".repeat(30)}\n`);
  log.close();
  expect(readdirSync(join(root, "logs")).sort()).toEqual(["web.log", "web.log.1", "web.log.2"]);
  for (const name of readdirSync(join(root, "logs"))) expect(statSync(join(root, "logs", name)).size).toBeLessThanOrEqual(100);
  expect(readFileSync(path, "utf8")).toContain("line 49");
});

test("a log that cannot be written loses lines, says how many, and harms nobody", () => {
  const directory = join(root, "later");
  const log = openLogFile(join(directory, "web.log"));
  log.write("lost\n");
  log.write("lost too\n");
  openStateDirectory(directory);
  log.write("kept\n");
  log.close();
  const [note = "", kept] = readFileSync(join(directory, "web.log"), "utf8").split("\n");
  expect(JSON.parse(note)).toMatchObject({ msg: "2 log lines could not be written" });
  expect(kept).toBe("kept");
});
