/**
 * Whether the build is what the sources say. The stamp is a hash over the contents of everything that
 * a build reads, the path prefix and the major version of Node; times of files do not count, since a
 * checkout changes them. It is written last, so that an interrupted build is stale.
 */
import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readSync, rmSync, writeFileSync } from "node:fs";
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
const BUFFER_BYTES = 128 * 1024;
const NOT_BUILT = /\.(test|fixture)\.tsx?$|^lib\/testing\//;

export function buildIsFresh(stamp) {
  return existsSync(inRoot(".next", "BUILD_ID")) && existsSync(inRoot("dist", "supervisor.mjs")) && readJson("dist", "build.json")?.stamp === stamp;
}

/** The stamp that a build of the present sources would get. */
export function currentStamp() {
  const hash = createHash("sha256");
  hash.update(`node ${process.versions.node.split(".")[0]} base path ${(process.env["HERMES_WEBUI_BASE_PATH"] ?? "").trim()}\n`);
  const files = [...FOLDERS.flatMap(filesIn), ...FILES.filter((file) => existsSync(inRoot(file)))];
  // One buffer for all files: the process that looks here lives on as the supervisor.
  const buffer = Buffer.alloc(BUFFER_BYTES);
  for (const file of files.filter((name) => !NOT_BUILT.test(name)).sort()) addFile(hash, file, buffer);
  return hash.digest("hex");
}

function addFile(hash, file, buffer) {
  const descriptor = openSync(inRoot(file), "r");
  try {
    hash.update(`\n${file}\n`);
    for (let size = readSync(descriptor, buffer); size > 0; size = readSync(descriptor, buffer)) hash.update(buffer.subarray(0, size));
  } finally {
    closeSync(descriptor);
  }
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
