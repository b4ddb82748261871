/**
 * The environment that this process was started with, for those that start child processes: they pass
 * on a few harmless variables by name (see `agent/tools/child-environment`), never the whole.
 */
import type { Environment } from "./settings";

export function readAmbientEnvironment(): Environment {
  return { ...process.env };
}
