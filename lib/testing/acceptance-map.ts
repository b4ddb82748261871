/**
 * `docs/acceptance.md` against the tests. A test that holds a case of a public bug report bears its
 * number (`B` and three digits) in its title, in that of its group, or in the row of its table; from
 * these titles the last table of the document is made. The other tables are written by hand, and every
 * file and title that they cite must be there. This is the one place that reads test sources: it asks
 * what tests are called, never how anything behaves.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const TEST_FILE = /\.(test\.tsx?|test\.mjs|spec\.ts)$|\/runtime-contract[a-z-]*\.ts$/;
const ROOTS = ["lib", "components", "bin", "trials", "e2e"];
const TABLE_HEAD = "| case | test |\n|---|---|\n";
const CASE = /\bB\d{3}\b/g;

export interface TestSource {
  /** Path from the root of the repository. */
  readonly path: string;
  readonly text: string;
}

export function readTestSources(root: string): readonly TestSource[] {
  const found = ROOTS.flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`));
  return found
    .filter((path) => TEST_FILE.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** The document with the table of cases that the titles make. */
export function withCaseTable(document: string, sources: readonly TestSource[]): string {
  const start = document.lastIndexOf(TABLE_HEAD);
  if (start === -1) throw new Error("The document has no table of cases.");
  const holders = new Map<string, string[]>();
  for (const source of sources) {
    for (const title of titlesWithCases(source.text)) {
      for (const number of new Set(title.match(CASE))) holders.set(number, [...(holders.get(number) ?? []), citation(source.path, title)]);
    }
  }
  const lines = [...holders].sort(([left], [right]) => (left < right ? -1 : 1)).map(([number, tests]) => `| ${number} | ${[...new Set(tests)].join("<br>")} |\n`);
  return document.slice(0, start + TABLE_HEAD.length) + lines.join("");
}

/** What the document cites and is not there, in words. */
export function findDeadCitations(document: string, root: string, sources: readonly TestSource[]): readonly string[] {
  const texts = new Map(sources.map((source) => [source.path, source.text]));
  const cells = document.split("\n").flatMap((line) => line.split(/<br>|(?<!\\)\|/));
  return cells.flatMap((cell) => {
    const dead = [...cell.matchAll(/`([\w./-]+(?:\/|\.(?:ts|tsx|mjs|md)))`/g)].flatMap(([, path = ""]) => (existsSync(join(root, path)) ? [] : [`${path} is not there`]));
    const [, path, title] = /`([\w./-]+)` › (.+)$/.exec(cell.trim()) ?? [];
    const text = path === undefined ? undefined : texts.get(path);
    if (text === undefined || title === undefined) return dead;
    const words = title.replaceAll("\\|", "|");
    return text.includes(JSON.stringify(words)) ? dead : [...dead, `${path ?? ""} has no test "${words}"`];
  });
}

/** The literals that name a case, in their order; lines of comments are no titles. */
function titlesWithCases(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => !/^\s*(\/\/|\/?\*)/.test(line));
  return lines.flatMap((line) => [...line.matchAll(/"(?:[^"\\]|\\.)*\bB\d{3}\b(?:[^"\\]|\\.)*"/g)].map(([literal]) => String(JSON.parse(literal))));
}

function citation(path: string, title: string): string {
  return `\`${path}\` › ${title.replaceAll("|", "\\|")}`;
}
