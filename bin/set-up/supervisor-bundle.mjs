import { existsSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { inRoot, readJson, ROOT } from "./root.mjs";

/** The bundled supervisor, or null when there is none; a newer file is a newer module. */
export async function loadSupervisor() {
  const path = inRoot("dist", "supervisor.mjs");
  if (!existsSync(path)) return null;
  return import(`${pathToFileURL(path).href}?built=${statSync(path).mtimeMs}`);
}

/** What the supervisor is told. */
export function startRequest(words) {
  return {
    environment: { ...process.env },
    words,
    installation: {
      root: ROOT,
      runnerIsBuilt: existsSync(inRoot("dist", "runner.mjs")),
      version: readJson("package.json")?.version ?? "unknown",
    },
    print: (line) => process.stdout.write(`${line}\n`),
    complain: (line) => process.stderr.write(`${line}\n`),
  };
}
