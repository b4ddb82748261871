/**
 * The secrets of profiles' `.env` files as they are now, for redactors, which cannot wait. A file is
 * looked at again at most every `LOOK_MS`, and read only when it changed, whoever changed it: a key
 * that was just saved is known before a run can say it. A value once known stays known: what still
 * runs may hold a key that is in the file no more.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse } from "dotenv";
import { MAX_ENV_BYTES, secretValues } from "./env-file";
import { DEFAULT_PROFILE, isProfileName, profileHome } from "./home";

const LOOK_MS = 100;
const MOST_VALUES = 500;

interface Looked {
  readonly at: number;
  readonly stamp: string;
  readonly values: readonly string[];
}

export class SecretBook {
  readonly #files = new Map<string, Looked>();
  #homes: { readonly at: number; readonly of: string; readonly homes: readonly string[] } | null = null;
  readonly #clock: () => number;

  /** `clock`: milliseconds, for tests. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** Those of all profiles that are there. */
  ofAll(hermesHome: string): readonly string[] {
    const now = this.#clock();
    const before = this.#homes;
    const isFresh = before !== null && before.of === hermesHome && now - before.at < LOOK_MS;
    const homes = isFresh ? before.homes : homesIn(hermesHome);
    if (!isFresh) this.#homes = { at: now, of: hermesHome, homes };
    return homes.flatMap((home) => this.of(home));
  }

  /** The same array while nothing changed. */
  of(home: string): readonly string[] {
    const now = this.#clock();
    const before = this.#files.get(home);
    if (before !== undefined && now - before.at < LOOK_MS) return before.values;
    const path = join(home, ".env");
    const stamp = stampOf(path);
    const values = stamp === (before?.stamp ?? "") ? (before?.values ?? []) : merged(before?.values ?? [], read(path));
    this.#files.set(home, { at: now, stamp, values });
    return values;
  }
}

function homesIn(hermesHome: string): readonly string[] {
  return [DEFAULT_PROFILE, ...namesIn(join(hermesHome, "profiles"))].map((name) => profileHome(hermesHome, name));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => isProfileName(name) && name !== DEFAULT_PROFILE);
  } catch {
    // No folder of profiles: there is only the default one.
    return [];
  }
}

/** Empty for no file. */
function stampOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined || !found.isFile() || found.size > MAX_ENV_BYTES ? "" : `${found.mtimeNs}:${found.size}:${found.ino}`;
}

function read(path: string): readonly string[] {
  try {
    return secretValues(parse(readFileSync(path, "utf8").replace(/^\uFEFF/, "")));
  } catch {
    // Gone or forbidden between look and reading: it says nothing that could be redacted.
    return [];
  }
}

function merged(before: readonly string[], now: readonly string[]): readonly string[] {
  const all = [...new Set([...now, ...before])];
  return all.length === before.length ? before : all.slice(0, MOST_VALUES);
}
