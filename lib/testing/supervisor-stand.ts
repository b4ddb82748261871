/**
 * A tree in a temporary directory over which the supervisor runs as it does in the repository: bundled,
 * beside a page (a small server where Next would lie) and a runner (one that keeps its pid file).
 */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const REPOSITORY = join(import.meta.dirname, "../..");
const PAGE = `
const { createServer } = require("node:http");
const [, port, , host] = process.argv.slice(3);
const env = process.env;
const fetchRunner = () => env.HERMES_WEBUI_RUNNER_BASE_URL ? fetch(env.HERMES_WEBUI_RUNNER_BASE_URL + "/health").then(() => "ok", () => "degraded") : Promise.resolve("ok");
createServer(async (request, response) => response.end(JSON.stringify({ status: await fetchRunner(), adapter: env.HERMES_WEBUI_RUNTIME_ADAPTER }))).listen(Number(port), host);
`;
const RUNNER = `
import { createServer } from "node:http";
import { claimPidFile, removePidFile } from "#config/pid-file";
import { loadSettings } from "#config/settings";
const { settings } = loadSettings();
const url = new URL(settings.runner.baseUrl);
if (!claimPidFile(settings.stateDirectory, "runner", settings.runner.baseUrl).claimed) throw new Error("there is one");
createServer((request, response) => response.end(JSON.stringify({ status: "ok", version: "9.9.9", pid: process.pid }))).listen(Number(url.port), url.hostname);
process.on("SIGTERM", () => { removePidFile(settings.stateDirectory, "runner"); process.exit(0); });
`;
const START = `
import { supervise } from "./supervisor.mjs";
const root = import.meta.dirname + "/..";
process.exitCode = await supervise({
  environment: { ...process.env }, words: process.argv.slice(2),
  installation: { root, runnerIsBuilt: true, version: "9.9.9" },
  print: (line) => console.log(line), complain: (line) => console.error(line),
});
`;

/** Builds the tree and answers its root; `dist/start.mjs` in it takes the options of a start. */
export async function buildSupervisorStand(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "supervisor-"));
  for (const folder of ["dist", "node_modules/next/dist/bin"]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "node_modules/next/dist/bin/next"), PAGE);
  writeFileSync(join(root, "dist/start.mjs"), START);
  const banner = { js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);' };
  const shared = { bundle: true, platform: "node", format: "esm", absWorkingDir: REPOSITORY, banner, logLevel: "error" } as const;
  await build({ ...shared, entryPoints: ["lib/runner/supervisor-main.ts"], outfile: join(root, "dist/supervisor.mjs") });
  await build({ ...shared, stdin: { contents: RUNNER, resolveDir: REPOSITORY, loader: "ts" }, outfile: join(root, "dist/runner.mjs") });
  return root;
}
