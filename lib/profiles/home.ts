/**
 * Where profiles live: the default profile is `HERMES_HOME` itself, profile P is
 * `HERMES_HOME/profiles/P`. Every function is given `HERMES_HOME`; nothing here reads the environment.
 * A name that cannot be one is answered as an unknown profile. Deleting removes the folder and never
 * what a link in it points to.
 */
import { randomUUID } from "node:crypto";
import { copyFile, lstat, mkdir, readdir, rename, rm, rmdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "#protocol/errors";
import { errorCode } from "./edit-file";

export const DEFAULT_PROFILE = "default";
const NAME = /^[a-z0-9_-]{1,64}$/;
/** What a clone takes along. */
const CLONED_FILES = ["config.yaml", ".env", "SOUL.md"] as const;

export interface ProfileHome {
  readonly name: string;
  /** Absolute. */
  readonly home: string;
}

export function isProfileName(name: string): boolean {
  return NAME.test(name);
}

/** Where the profile is or would be. `profile_not_found` for what cannot be a name. */
export function profileHome(hermesHome: string, name: string): string {
  if (!isProfileName(name)) throw unknownProfile();
  return name === DEFAULT_PROFILE ? hermesHome : join(hermesHome, "profiles", name);
}

/** The home of a profile that is there. `profile_not_found` otherwise; a home is never made here. */
export async function requireProfile(hermesHome: string, name: string): Promise<string> {
  const home = profileHome(hermesHome, name);
  if (name !== DEFAULT_PROFILE && !(await isFolder(home))) throw unknownProfile();
  return home;
}

/** The default profile first, then the others by name. */
export async function listProfiles(hermesHome: string): Promise<readonly ProfileHome[]> {
  const folder = join(hermesHome, "profiles");
  const names = await readdir(folder).catch((cause: unknown) => {
    if (errorCode(cause) === "ENOENT" || errorCode(cause) === "ENOTDIR") return [];
    throw cause;
  });
  const found = await Promise.all(names.map(async (name) => (isProfileName(name) && name !== DEFAULT_PROFILE && (await isFolder(join(folder, name))) ? [name] : [])));
  return [{ name: DEFAULT_PROFILE, home: hermesHome }, ...found.flat().toSorted().map((name) => ({ name, home: join(folder, name) }))];
}

/** `invalid_request` for a bad name, `conflict` for a taken one, `profile_not_found` for an unknown source. */
export async function createProfile(hermesHome: string, wanted: { readonly name: string; readonly clone_from?: string | null | undefined }): Promise<ProfileHome> {
  requireName(wanted.name, "name");
  const source = wanted.clone_from == null ? null : await requireProfile(hermesHome, wanted.clone_from);
  const home = await claimHome(hermesHome, wanted.name);
  try {
    if (source !== null) await Promise.all(CLONED_FILES.map((file) => copyIfThere(join(/* turbopackIgnore: true */ source, file), join(/* turbopackIgnore: true */ home, file))));
  } catch (cause) {
    await rm(home, { recursive: true, force: true });
    throw cause;
  }
  return { name: wanted.name, home };
}

/** Same errors as creating; `conflict` for the default profile, which has no name of its own. */
export async function renameProfile(hermesHome: string, name: string, newName: string): Promise<ProfileHome> {
  const home = await requireProfile(hermesHome, name);
  requireName(newName, "new_name");
  if (newName === name) return { name, home };
  if (name === DEFAULT_PROFILE) throw new AppError("conflict", "The default profile cannot be renamed.");
  if ((await lstat(home)).isSymbolicLink()) throw new AppError("conflict", "This profile is a link to another folder. Rename it there.");
  const renamed = await claimHome(hermesHome, newName);
  try {
    // Onto the empty folder that was just claimed: nobody else can have taken the name meanwhile.
    await rename(home, renamed);
  } catch (cause) {
    await rmdir(renamed);
    throw cause;
  }
  return { name: newName, home: renamed };
}

/** `conflict` for the default profile, `profile_not_found` for an unknown one. */
export async function deleteProfile(hermesHome: string, name: string): Promise<void> {
  const home = await requireProfile(hermesHome, name);
  if (name === DEFAULT_PROFILE) throw new AppError("conflict", "The default profile cannot be deleted.");
  if ((await lstat(home)).isSymbolicLink()) {
    await unlink(home);
    return;
  }
  // Gone from the list at once, whatever happens while its files are removed.
  const doomed = join(hermesHome, "profiles", `.deleted-${randomUUID()}`);
  await rename(home, doomed);
  await rm(doomed, { recursive: true, force: true });
}

function requireName(name: string, path: string): void {
  if (isProfileName(name)) return;
  const message = "A name has 1 to 64 of the characters a-z, 0-9, _ and -.";
  throw new AppError("invalid_request", message, { issues: [{ path, message }] });
}

async function claimHome(hermesHome: string, name: string): Promise<string> {
  const taken = new AppError("conflict", `There is a profile named ${name} already.`);
  if (name === DEFAULT_PROFILE) throw taken;
  const home = join(hermesHome, "profiles", name);
  await mkdir(join(hermesHome, "profiles"), { recursive: true, mode: 0o700 });
  await mkdir(home, { mode: 0o700 }).catch((cause: unknown) => {
    throw errorCode(cause) === "EEXIST" ? taken : cause;
  });
  return home;
}

async function copyIfThere(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(() => null);
  if (found?.isFile() === true) await copyFile(from, to);
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

function unknownProfile(): AppError {
  return new AppError("profile_not_found", "There is no profile of this name.");
}
