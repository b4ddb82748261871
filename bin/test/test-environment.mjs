/**
 * The environment of the tests: nothing of the person who runs them. No key of theirs reaches a test,
 * no test reaches their home, and a home that is missing or read-only is replaced.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const NOT_PASSED_ON = /^(HERMES_|.*(_API_KEY|_TOKEN|_SECRET|PASSWORD)$|OLLAMA_HOST$|LMSTUDIO_HOST$|NODE_ENV$|NODE_OPTIONS$|CI$|FORCE_COLOR$)/;

/**
 * @param {string} directory a temporary one, for this run only
 * @param {string | null} browser
 */
export function testEnvironment(directory, browser) {
  const home = join(directory, "home");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const kept = Object.entries(process.env).filter(([name]) => !NOT_PASSED_ON.test(name));
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_CONFIG_HOME: join(home, ".config"),
    NEXT_TELEMETRY_DISABLED: "1",
    NO_COLOR: "1",
    ...(browser === null ? {} : { HERMES_TEST_BROWSER: browser }),
  };
}
