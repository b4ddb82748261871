/**
 * What `next.config.ts` needs, at build and at start. It reads this one variable only: a build must
 * not fail because of a setting that matters when the server runs.
 */
import { pathPrefix } from "./setting-parsers";
import type { Environment } from "./settings";

/** The path prefix, `""` or `/prefix`; throws one line that names the variable. */
export function readBasePath(environment: Environment): string {
  const prefix = pathPrefix((environment["HERMES_WEBUI_BASE_PATH"] ?? "").trim());
  if (prefix === null) throw new Error("HERMES_WEBUI_BASE_PATH must be a path such as /desk, of letters, digits, dots, dashes, underscores and tildes.");
  return prefix;
}

export function loadBasePath(): string {
  return readBasePath(process.env);
}
