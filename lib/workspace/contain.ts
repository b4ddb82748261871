/**
 * W1 Nothing outside the workspace is reached. A path as a person or a model gave it becomes the
 * real place of a file below the real workspace, or `outside_workspace`. `..` is taken by its
 * letters, links by where they lead: one that stays inside works, also when it leads to something
 * that does not exist yet, and so does a workspace that is itself a link.
 *
 * The answer holds for the moment it was given. What is done with it goes through `openFolder`,
 * which walks the real segments again without following any link: a folder swapped for a link in
 * between ends as an error, not as a file outside.
 */
import { lstat, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { AppError } from "#protocol/errors";
import { errnoOf, toFileError } from "./file-error";

export interface ContainedPath {
  /** Real path of the workspace. */
  readonly root: string;
  /** Real path of the place; it may not exist. */
  readonly real: string;
  /** The place as it was asked for, below the workspace, with forward slashes; "" is the workspace. */
  readonly relative: string;
  /** Names that lead from `root` to `real`. */
  readonly segments: readonly string[];
}

export interface ContainOptions {
  /** False: the last name itself is meant, even when it is a link (delete, rename). Default true. */
  readonly follow?: boolean;
}

const MAX_PATH_LENGTH = 4096;
const MAX_LINKS = 40;

/** `candidate` below `base` ("" for `base` itself), or null when it lies elsewhere. Both absolute. */
function insideOf(base: string, candidate: string): string | null {
  if (candidate === base) return "";
  const prefix = base.endsWith(path.sep) ? base : base + path.sep;
  return candidate.startsWith(prefix) ? candidate.slice(prefix.length) : null;
}

function outside(): AppError {
  return new AppError("outside_workspace", "That path lies outside the workspace.");
}

/** Like realpath, but whatever does not exist yet stays as it is, below the real place of what does. */
async function realPlace(absolute: string, links = 0): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT" || absolute === path.dirname(absolute)) throw error;
  }
  const place = path.join(await realPlace(path.dirname(absolute), links), path.basename(absolute));
  const target = await readlink(place).catch(() => null);
  if (target === null) return place;
  if (links >= MAX_LINKS) throw outside();
  return realPlace(path.resolve(path.dirname(place), target), links + 1);
}

async function realRoot(workspace: string): Promise<string> {
  if (!path.isAbsolute(workspace)) throw new AppError("invalid_request", "The workspace must be an absolute path.");
  try {
    const root = await realpath(workspace);
    if ((await lstat(root)).isDirectory()) return root;
  } catch (error) {
    throw new AppError("not_found", "The workspace folder is missing.", {}, error);
  }
  throw new AppError("not_found", "The workspace is no folder.");
}

/**
 * Where `asked` really is. `workspace` is absolute; `asked` is relative to it, or absolute and inside.
 * Errors: `outside_workspace`, `invalid_request` (no path at all), `not_found` (no such workspace).
 */
export async function contain(workspace: string, asked: string, options: ContainOptions = {}): Promise<ContainedPath> {
  if (asked.includes("\0") || asked.length > MAX_PATH_LENGTH) throw new AppError("invalid_request", "That is no path.");
  if (asked === "~" || asked.startsWith("~/")) throw outside();
  const root = await realRoot(workspace);
  const given = path.resolve(workspace);
  const absolute = path.resolve(given, asked);
  const relative = insideOf(given, absolute) ?? insideOf(root, absolute);
  if (relative === null) throw outside();
  const place = relative === "" ? root : path.join(/* turbopackIgnore: true */ root, relative);
  let real: string;
  try {
    const follow = options.follow !== false || relative === "";
    real = follow ? await realPlace(place) : path.join(await realPlace(path.dirname(place)), path.basename(place));
  } catch (error) {
    throw toFileError(error, relative);
  }
  const below = insideOf(root, real);
  if (below === null) throw outside();
  const segments = below === "" ? [] : below.split(path.sep);
  return { root, real, relative: relative.split(path.sep).join("/"), segments };
}
