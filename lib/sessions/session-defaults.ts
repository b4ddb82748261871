/** What a session needs to know of the world around it: profiles, providers and folders. The server's composition fills it. */
import { stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { AppError } from "#protocol/errors";

export interface SessionDefaults {
  /** Null for a profile that is not there. `workspace`: absolute, or null where the profile names none. */
  profile(name: string): Promise<{ readonly workspace: string | null } | null>;
  /** Whether a profile has a provider of this name, usable or not. */
  hasProvider(profile: string, provider: string): Promise<boolean>;
  /** The default workspace of new sessions, made if missing. */
  workspace(): Promise<string>;
}

export async function requireProfile(defaults: SessionDefaults, name: string): Promise<{ readonly workspace: string | null }> {
  const profile = await defaults.profile(name);
  if (profile === null) throw new AppError("profile_not_found", "There is no profile of this name.");
  return profile;
}

/** Throws `invalid_request` for a provider that the profile does not have; null is none in particular. */
export async function requireProvider(defaults: SessionDefaults, profile: string, provider: string | null | undefined): Promise<void> {
  if (provider === null || provider === undefined || (await defaults.hasProvider(profile, provider))) return;
  throw new AppError("invalid_request", "There is no provider of this name.", { issues: [{ path: "provider", message: "is not a provider" }] });
}

/** The folder's absolute path; throws `invalid_request` for what is no folder. */
export async function requireFolder(path: string): Promise<string> {
  if (!isAbsolute(path) || path.includes("\0")) throw wrongFolder("is not an absolute path");
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isDirectory()) throw wrongFolder("is not a folder");
  return resolve(path);
}

function wrongFolder(message: string): AppError {
  return new AppError("invalid_request", "The workspace must be the absolute path of a folder.", { issues: [{ path: "workspace", message }] });
}
