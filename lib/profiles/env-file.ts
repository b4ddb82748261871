/**
 * A profile's `.env`: its variables, which of them are secrets that must never be stored or shown, and
 * which may be given to child processes. Only parsed; `process.env` is neither read nor changed.
 */
import { join } from "node:path";
import { parse } from "dotenv";
import { readText } from "./edit-file";

export type ProfileEnv = Readonly<Record<string, string>>;

const MAX_BYTES = 1024 * 1024;
/** Shorter values would black out ordinary words. */
const MIN_SECRET_LENGTH = 8;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD/i;

/** Empty when there is no file, or one that cannot be read. */
export async function readEnvFile(home: string): Promise<ProfileEnv> {
  const read = await readText(join(home, ".env"), MAX_BYTES);
  return read.status === "read" ? parse(read.text.replace(/^\uFEFF/, "")) : {};
}

/** Values to be replaced wherever they turn up: at least 8 characters, under a name that says secret. */
export function secretValues(env: ProfileEnv): readonly string[] {
  const secrets = Object.entries(env).filter(([name, value]) => SECRET_NAME.test(name) && value.length >= MIN_SECRET_LENGTH);
  return [...new Set(secrets.map(([, value]) => value))];
}

/** What children may see: no secret of any length, nothing of ours. */
export function childEnv(env: ProfileEnv): ProfileEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET_NAME.test(name) && !name.startsWith("HERMES_")));
}
