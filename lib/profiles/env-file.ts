/**
 * A profile's `.env`: its variables, which of them are secrets that must never be stored or shown, and
 * which may be given to child processes. Only parsed; `process.env` is neither read nor changed.
 */
import { join } from "node:path";
import { parse } from "dotenv";
import { readText } from "./edit-file";

export type ProfileEnv = Readonly<Record<string, string>>;

export const MAX_ENV_BYTES = 1024 * 1024;
/** Shorter values would black out ordinary words. */
const MIN_SECRET_LENGTH = 8;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD/i;

/** Empty when there is no file, or one that cannot be read. */
export async function readEnvFile(home: string): Promise<ProfileEnv> {
  const read = await readText(join(home, ".env"), MAX_ENV_BYTES);
  return read.status === "read" ? parse(read.text.replace(/^\uFEFF/, "")) : {};
}

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Values to be replaced wherever they turn up: at least 8 characters, under a name that says secret. */
export function secretValues(env: ProfileEnv): readonly string[] {
  const secrets = Object.entries(env).filter(([name, value]) => isSecretName(name) && value.length >= MIN_SECRET_LENGTH);
  return [...new Set(secrets.map(([, value]) => value))];
}

const ADDRESS = "HERMES_MODEL_BASE_URL";
const ADDRESS_KEY = "HERMES_MODEL_API_KEY";

/** The process's own values with the profile's over them. A key never goes to another address than the one it was given for. */
export function overEnvironment(base: ProfileEnv, own: ProfileEnv): ProfileEnv {
  const { [ADDRESS_KEY]: key, ...rest } = base;
  const isMoved = own[ADDRESS] !== undefined && own[ADDRESS] !== base[ADDRESS];
  return { ...rest, ...(key === undefined || isMoved ? {} : { [ADDRESS_KEY]: key }), ...own };
}

/** What children may see: no secret of any length, nothing of ours. */
export function childEnv(env: ProfileEnv): ProfileEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isSecretName(name) && !name.startsWith("HERMES_")));
}
