import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Root of the repository. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export function inRoot(...parts) {
  return join(ROOT, ...parts);
}

/** A JSON file of the repository, or null when it is missing or not JSON. */
export function readJson(...parts) {
  try {
    return JSON.parse(readFileSync(inRoot(...parts), "utf8"));
  } catch {
    return null;
  }
}
