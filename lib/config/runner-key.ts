/**
 * The key by which web process and runner know each other. It is made once into
 * `$STATE_DIR/runner.key` (0600) and never put into an environment, where tools could read it. It
 * is only for a runner on this machine: it is not sent anywhere else.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isLoopbackHost } from "./loopback";
import type { Settings } from "./settings";
import { systemErrorCode } from "./system-error";

/** The configured key; else, for a runner on this machine, the one of the state directory; else null. */
export function resolveRunnerKey(settings: Settings): string | null {
  const { apiKey, baseUrl } = settings.runner;
  if (apiKey !== null) return apiKey;
  if (baseUrl !== null && !isLoopbackHost(new URL(baseUrl).hostname)) return null;
  return ensureRunnerKey(settings.stateDirectory);
}

/** Reads the key, or makes it; two processes that make it at one moment end up with the same. */
export function ensureRunnerKey(stateDirectory: string): string {
  const path = join(stateDirectory, "runner.key");
  const present = readKey(path);
  if (present !== null) return present;
  const finished = `${path}.${process.pid}`;
  writeFileSync(finished, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
  try {
    rmIfEmpty(path);
    linkSync(finished, path);
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  } finally {
    rmSync(finished, { force: true });
  }
  const made = readKey(path);
  if (made === null) throw new Error(`${path} holds no key; remove it to have a new one made.`);
  return made;
}

function readKey(path: string): string | null {
  try {
    const key = readFileSync(path, "utf8").trim();
    if (!/^[\w-]{32,256}$/.test(key)) return null;
    chmodSync(path, 0o600);
    return key;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** A crash or a full disk may have left an empty file; anything longer is somebody's and stays. */
function rmIfEmpty(path: string): void {
  try {
    if (readFileSync(path, "utf8").trim() === "") rmSync(path);
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") throw error;
  }
}
