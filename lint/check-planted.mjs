/**
 * A linter that silently checks nothing must not pass: every rule and every wall has a planted
 * violation, written into a directory outside the repository and linted with the real configuration.
 * Each must be reported, and no door between rooms may be.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { PLANTED_RULES } from "./planted-rules.mjs";
import { plantedWalls } from "./planted-walls.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const WALL_RULE = "eslint(no-restricted-imports)";

/** @returns {{checked: number, problems: string[]}} */
export function checkPlanted() {
  const directory = mkdtempSync(join(tmpdir(), "planted-"));
  try {
    const walls = plantedWalls();
    for (const { path, source } of [...PLANTED_RULES, ...walls]) plant(directory, path, source);
    copyFileSync(join(ROOT, "package.json"), join(directory, "package.json"));
    const configuration = pathToFileURL(join(ROOT, "oxlint.config.mjs")).href;
    writeFileSync(join(directory, "oxlint.config.mjs"), `export { default } from ${JSON.stringify(configuration)};\n`);
    const reported = lint(directory);
    const problems = [
      ...PLANTED_RULES.filter(({ path, rule }) => !reported.has(`${path} ${rule}`)).map(({ path, rule }) => `${rule} did not see ${path}`),
      ...walls.filter(({ path, wall }) => reported.has(`${path} ${WALL_RULE}`) !== wall).map(({ path, wall }) => wallProblem(path, wall)),
    ];
    return { checked: PLANTED_RULES.length + walls.length, problems };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function plant(directory, path, source) {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, source);
}

function wallProblem(path, wall) {
  return wall ? `the wall did not stop ${path}` : `${path} was stopped at an open door`;
}

/** `path rule` of everything that the linter reports. */
function lint(directory) {
  const program = join(ROOT, "node_modules/oxlint/bin/oxlint");
  const { stdout, stderr } = spawnSync(process.execPath, [program, "-c", "oxlint.config.mjs", "--format=json"], {
    cwd: directory,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    timeout: 60_000,
  });
  try {
    return new Set(JSON.parse(stdout).diagnostics.map(({ code, filename }) => `${filename} ${code}`));
  } catch (cause) {
    throw new Error(`The linter gave no report: ${stderr || stdout}`, { cause });
  }
}
