import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { findDeadCitations, readTestSources, withCaseTable } from "./acceptance-map";

const root = fileURLToPath(new URL("../../", import.meta.url));
const document = readFileSync(join(root, "docs/acceptance.md"), "utf8");
/** A number as a title bears it, put together so that this file bears none. */
const numbered = (number: number): string => `B${String(number).padStart(3, "0")}`;

it("docs/acceptance.md names every test that bears a case's number (npm run docs:acceptance writes it)", () => {
  expect(document).toBe(withCaseTable(document, readTestSources(root)));
});

it("docs/acceptance.md cites no file and no test that is not there", () => {
  expect(findDeadCitations(document, root, readTestSources(root))).toEqual([]);
});

it("a case's line holds each title and row that bears its number, and no comment", () => {
  const [one, two] = [numbered(1), numbered(2)];
  const text = [`// "${one} in a comment"`, ` * "${one} here"`, `it("a | b (${one}, ${two})", () => {`, `  ["${two}: says \\"x\\"", 1],`].join("\n");
  const made = withCaseTable("# A\n\n| case | test |\n|---|---|\n| old | line |\n", [{ path: "lib/a.test.ts", text }]);
  expect(made.split("\n").slice(4)).toEqual([
    `| ${one} | \`lib/a.test.ts\` › a \\| b (${one}, ${two}) |`,
    `| ${two} | \`lib/a.test.ts\` › a \\| b (${one}, ${two})<br>\`lib/a.test.ts\` › ${two}: says "x" |`,
    "",
  ]);
});

it("a citation is dead when its file is gone or has no such test", () => {
  const folder = mkdtempSync(join(tmpdir(), "map-"));
  try {
    mkdirSync(join(folder, "lib"));
    const source = { path: "lib/a.test.ts", text: 'it("says \\"x\\" | y", () => {})' };
    writeFileSync(join(folder, source.path), source.text);
    const cited = '| 1 | `lib/a.test.ts` › says "x" \\| y<br>`lib/a.test.ts` › says z |\n| 2 | `lib/b.test.ts`; `lib/` |\n';
    expect(findDeadCitations(cited, folder, [source])).toEqual(['lib/a.test.ts has no test "says z"', "lib/b.test.ts is not there"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
