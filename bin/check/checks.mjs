/** The parts of `npm run check`, which run side by side. Each says whether it holds and what it saw. */
import { existsSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { inRoot, ROOT } from "../set-up/root.mjs";
import { runProgram } from "../set-up/run-program.mjs";
import { checkEngines } from "./engines.mjs";

const PART_WITHIN_MS = 5 * 60_000;

/**
 * @param {AbortSignal} signal
 * @returns {Promise<{name: string, ok: boolean, seconds: number, detail: string}[]>}
 */
export async function runChecks(signal) {
  ensureFrameworkTypes();
  const parts = {
    types: () => runTool(signal, "node_modules/typescript/bin/tsc", "--noEmit", "--pretty", "false"),
    lint: () => runTool(signal, "node_modules/oxlint/bin/oxlint", "-c", "oxlint.config.mjs", "--format=unix", `--threads=${availableParallelism()}`),
    "planted violations": checkPlantedViolations,
    "dead code": () => runTool(signal, "node_modules/knip/bin/knip.js", "--no-progress"),
    engines: async () => resultOf(checkEngines()),
  };
  return Promise.all(Object.entries(parts).map(([name, check]) => timed(name, check)));
}

async function timed(name, check) {
  const begin = performance.now();
  try {
    const { ok, detail } = await check();
    return { name, ok, detail, seconds: secondsSince(begin) };
  } catch (error) {
    return { name, ok: false, detail: error.stack ?? String(error), seconds: secondsSince(begin) };
  }
}

async function runTool(signal, program, ...words) {
  const { ok, output, timedOut } = await runProgram([process.execPath, inRoot(program), ...words], {
    directory: ROOT,
    environment: { ...process.env, NO_COLOR: "1" },
    signal,
    timeoutMs: PART_WITHIN_MS,
    show: false,
  });
  return { ok, detail: timedOut ? `${output}\ntook too long` : output };
}

/** Loaded late: the linter it runs may have to be installed first. */
async function checkPlantedViolations() {
  const { checkPlanted } = await import("../../lint/check-planted.mjs");
  return resultOf(checkPlanted());
}

function resultOf({ checked, problems }) {
  return { ok: checked > 0 && problems.length === 0, detail: problems.length === 0 ? `${checked} looked at` : problems.join("\n") };
}

/** The framework writes this file when it builds; types must hold before the first build too. */
function ensureFrameworkTypes() {
  const path = inRoot("next-env.d.ts");
  if (!existsSync(path)) writeFileSync(path, '/// <reference types="next" />\n/// <reference types="next/image-types/global" />\n');
}

function secondsSince(begin) {
  return Math.round((performance.now() - begin) / 100) / 10;
}
