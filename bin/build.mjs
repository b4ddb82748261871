/**
 * `npm run build`: the pages and routes by Next, the processes beside it (supervisor, runner) as
 * bundles, then the stamp by which a start knows that all of it is fresh.
 */
import { existsSync, rmSync } from "node:fs";
import { build } from "esbuild";
import { currentStamp, forgetBuild, recordBuild } from "./set-up/build-stamp.mjs";
import { listenForInterruption } from "./set-up/interruption.mjs";
import { inRoot, ROOT } from "./set-up/root.mjs";
import { runProgram } from "./set-up/run-program.mjs";

const NEXT_WITHIN_MS = 15 * 60_000;
/** Bundle → entry. The supervisor holds all it needs: it must load while packages are being replaced. */
const BUNDLES = { supervisor: "lib/runner/supervisor-main.ts", runner: "lib/runner/main.ts" };
/** Native code, WebAssembly beside its module, or workers found by their path. */
const NOT_BUNDLED = ["@libsql/client", "libsql", "web-tree-sitter", "tree-sitter-bash"];

const interruption = listenForInterruption();
process.exitCode = await buildAll();

async function buildAll() {
  const stamp = currentStamp();
  forgetBuild();
  const [isBuilt] = await Promise.all([buildPages(), ...Object.entries(BUNDLES).map(bundle)]);
  if (interruption.signal.aborted) return interruption.exitCode();
  if (!isBuilt) return 1;
  recordBuild(stamp);
  return 0;
}

async function buildPages() {
  const { ok } = await runProgram([process.execPath, inRoot("node_modules/next/dist/bin/next"), "build"], {
    directory: ROOT,
    environment: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    signal: interruption.signal,
    timeoutMs: NEXT_WITHIN_MS,
    show: true,
  });
  return ok;
}

async function bundle([name, entry]) {
  const outfile = inRoot("dist", `${name}.mjs`);
  if (!existsSync(inRoot(entry))) return rmSync(outfile, { force: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    external: NOT_BUNDLED,
    // A process keeps the text of its program: a third less without white space. Short lines, so that a trace still says where.
    minifyWhitespace: true,
    lineLimit: 160,
    define: { "process.env.NODE_ENV": '"production"' },
    // Packages in the older module format load Node's modules by `require`.
    banner: { js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);' },
    logLevel: "warning",
  });
}
