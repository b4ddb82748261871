/**
 * Whether node_modules is what package-lock.json says, and the installation when it is not. npm leaves
 * a copy of the lock file in node_modules when it has finished; an interrupted, partial or outdated
 * installation differs from it.
 */
import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRoot, readJson, ROOT } from "./root.mjs";
import { runProgram } from "./run-program.mjs";

const INSTALL_WITHIN_MS = 20 * 60_000;

/** @param {{withTools: boolean}} needs whether the packages for building and testing are needed too */
export function dependenciesAreFresh({ withTools }) {
  const wanted = readJson("package-lock.json")?.packages;
  const installed = readJson("node_modules", ".package-lock.json")?.packages;
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === "" || entry.link || (!withTools && entry.dev)) return true;
    const there = installed[place];
    if (!there) return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return there.version === entry.version && there.integrity === entry.integrity && existsSync(inRoot(place));
  });
}

/** Installs what the lock file says; throws one line when that fails. */
export async function installDependencies(signal) {
  console.error("Installing dependencies …");
  const { ok, code } = await runProgram([...npmCommand(), "ci", "--include=dev", "--no-audit", "--no-fund"], {
    directory: ROOT,
    environment: npmEnvironment(process.env),
    signal,
    timeoutMs: INSTALL_WITHIN_MS,
    show: true,
  });
  if (!ok && !signal.aborted) throw new Error(`The dependencies could not be installed (npm ci ended with code ${code}).`);
}

/** The npm that started us, or the one in the path. */
function npmCommand() {
  const current = process.env["npm_execpath"] ?? "";
  return /npm-cli\.c?js$/.test(current) && existsSync(current) ? [process.execPath, current] : ["npm"];
}

/** npm needs a home for its cache; where there is none it gets a temporary one. */
function npmEnvironment(environment) {
  const home = environment["HOME"] ?? "";
  if (home !== "" && isWritable(home)) return environment;
  const place = join(tmpdir(), `hermes-webui-npm-${process.getuid?.() ?? "user"}`);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  return { ...environment, HOME: place, npm_config_cache: join(place, "cache") };
}

function isWritable(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
