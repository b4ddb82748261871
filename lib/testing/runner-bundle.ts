/** The runner's entry as one file, as the build makes it: a test process starts it in a fraction of the time that sources take. */
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

let made: Promise<string> | null = null;

/** Made once per test process, below node_modules: what is not bundled is found from there. */
export function runnerBundle(): Promise<string> {
  made ??= bundle();
  return made;
}

async function bundle(): Promise<string> {
  const root = process.cwd();
  const folder = join(root, "node_modules", ".cache", "hermes-tests");
  await mkdir(folder, { recursive: true });
  const outfile = join(folder, `runner-${process.pid}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: ["lib/runner/main.ts"],
    outfile,
    ...{ bundle: true, platform: "node", target: "node20", format: "esm", logLevel: "error" },
    external: ["@libsql/client", "libsql", "web-tree-sitter", "tree-sitter-bash"],
    banner: { js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);' },
  });
  // Test processes that make it at one moment make the same.
  const program = join(folder, "runner.mjs");
  await rename(outfile, program);
  return program;
}
