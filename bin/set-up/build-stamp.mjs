/**
 * Whether the build is what the sources say. The stamp is a hash over the contents of everything that
 * a build reads, the path prefix and the major version of Node; times of files do not count, since a
 * checkout changes them. It is written last, so that an interrupted build is stale.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot, readJson } from "./root.mjs";

const FOLDERS = ["app", "components", "lib", "public"];
const FILES = [
  "bin/build.mjs",
  "instrumentation.ts",
  "instrumentation-node.ts",
  "instrumentation-client.ts",
  "proxy.ts",
  "next.config.ts",
  "package-lock.json",
  "package.json",
  "postcss.config.mjs",
  "tsconfig.json",
];
const NOT_BUILT = /\.(test|fixture)\.tsx?$|^lib\/testing\//;

export function buildIsFresh(stamp) {
  return existsSync(inRoot(".next", "BUILD_ID")) && existsSync(inRoot("dist", "supervisor.mjs")) && readJson("dist", "build.json")?.stamp === stamp;
}

/** The stamp that a build of the present sources would get. */
export function currentStamp() {
  const hash = createHash("sha256");
  hash.update(`node ${process.versions.node.split(".")[0]} base path ${(process.env["HERMES_WEBUI_BASE_PATH"] ?? "").trim()}\n`);
  const files = [...FOLDERS.flatMap(filesIn), ...FILES.filter((file) => existsSync(inRoot(file)))];
  for (const file of files.filter((name) => !NOT_BUILT.test(name)).sort()) {
    const content = readFileSync(inRoot(file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

export function forgetBuild() {
  rmSync(inRoot("dist", "build.json"), { force: true });
}

export function recordBuild(stamp) {
  mkdirSync(inRoot("dist"), { recursive: true });
  writeFileSync(inRoot("dist", "build.json"), `${JSON.stringify({ stamp })}\n`);
}

function filesIn(folder) {
  if (!existsSync(inRoot(folder))) return [];
  return readdirSync(inRoot(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() && !entry.name.startsWith(".") ? [path] : [];
  });
}
