/**
 * Keys and addresses of providers as the settings page sees and changes them: which a profile's `.env`
 * has, which the server's environment has, never a key itself. A variable that only the environment
 * sets cannot be changed here, and no key ever leaves: of a long one the last four characters.
 */
import { providerVariables } from "#agent/model/registry";
import { providerEnvironment } from "#config/provider-environment";
import { readSettings, type Settings } from "#config/settings";
import { editEnv } from "#profiles/edit-env";
import { isSecretName, readEnvFile, type ProfileEnv } from "#profiles/env-file";
import { requireProfile } from "#profiles/home";
import { AppError } from "#protocol/errors";
import { invalidRequest } from "#http/parse-input";
import type { KeyEntry } from "#protocol/profile-shapes";

const ENDING = 4;
/** Of a shorter one, four characters would be too much of it. */
const SHORTEST_WITH_ENDING = 16;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;
const ONE_LINE = /^[^\p{Cc}\u2028\u2029]{1,4096}$/u;
const KEY = /^[\x21-\x7e]{1,4096}$/;

export class KeyDesk {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The providers' variables, set or not, then whatever else the profile's `.env` has. Throws `profile_not_found`. */
  async list(profile: string): Promise<readonly KeyEntry[]> {
    const env = await readEnvFile(await requireProfile(this.#settings.hermesHome, profile));
    const inherited = providerEnvironment(this.#settings);
    const known = providerVariables();
    const others = Object.keys(env).filter((name) => !known.some((variable) => variable.name === name));
    return [
      ...known.map(({ name, provider, kind }) => entryOf({ name, provider, kind, env, inherited })),
      ...others.map((name) => entryOf({ name, provider: null, kind: isSecretName(name) ? "key" : "other", env, inherited })),
    ];
  }

  /** Null takes a variable out. Throws `invalid_request`, `conflict` (set by the environment, or the file cannot be edited), `profile_not_found`. */
  async change(profile: string, values: Readonly<Record<string, string | null>>): Promise<readonly KeyEntry[]> {
    const home = await requireProfile(this.#settings.hermesHome, profile);
    const env = await readEnvFile(home);
    const inherited = providerEnvironment(this.#settings);
    for (const [name, value] of Object.entries(values)) {
      if (name in inherited && !(name in env)) throw new AppError("conflict", `${name} is set by the environment of the server and can only be changed there.`);
      const problem = value === null ? nameProblem(name) : (nameProblem(name) ?? valueProblem(name, value));
      if (problem !== null) throw invalidRequest([{ path: `values.${name.slice(0, 100)}`, message: problem }]);
    }
    const edit = await editEnv(home, values);
    if (edit.status === "refused") throw new AppError("conflict", edit.message);
    return this.list(profile);
  }
}

interface EntrySource {
  readonly name: string;
  readonly provider: string | null;
  readonly kind: KeyEntry["kind"];
  readonly env: ProfileEnv;
  readonly inherited: Readonly<Record<string, string>>;
}

function entryOf({ name, provider, kind, env, inherited }: EntrySource): KeyEntry {
  const own = env[name];
  const isOwn = own !== undefined && own.trim() !== "";
  const source = isOwn ? "profile" : name in inherited ? "environment" : null;
  const value = isOwn ? own : (inherited[name] ?? "");
  return {
    ...{ name, provider, kind, source },
    shown: kind === "key" ? endingOf(value) : kind === "other" ? null : plainOf(value),
    hides_environment: isOwn && name in inherited,
    editable: source !== "environment",
  };
}

function endingOf(value: string): string | null {
  return value.length < SHORTEST_WITH_ENDING ? null : value.slice(-ENDING);
}

/** An address that holds a name and a password is a secret. */
function plainOf(value: string): string | null {
  return value === "" || value.includes("@") ? null : value;
}

function nameProblem(name: string): string | null {
  return NAME.test(name) ? null : "a name of letters, digits and underscores";
}

/** What the settings would say of it, without the value. */
function valueProblem(name: string, value: string): string | null {
  if (!ONE_LINE.test(value)) return "one line of text";
  const variable = providerVariables().find((known) => known.name === name);
  if (variable?.kind === "key" && !KEY.test(value)) return "a key without blanks, of plain letters, digits and signs";
  if (variable === undefined) return null;
  const read = readSettings({ [name]: value });
  return read.ok ? null : read.message;
}
