/**
 * W2 A name is only ever used below a folder that is held open. Node has no `openat`, so each step
 * goes through the descriptor of the folder before it (`/proc/self/fd/N/name` on Linux), without
 * following links: whoever swaps a folder for a link meanwhile gets an error, not a way out. On
 * macOS the whole path is opened with O_NOFOLLOW_ANY, which refuses a link in any of its parts.
 */
import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import path from "node:path";
import { AppError } from "#protocol/errors";
import type { ContainedPath } from "./contain";
import { errnoOf, toFileError } from "./file-error";

export interface OpenFolder {
  readonly handle: FileHandle;
  /** A path to the entry `name` of exactly this folder; good until `close`. */
  at(name: string): string;
  /** The folder `name` in this one; a link is refused. */
  enter(name: string): Promise<OpenFolder>;
  close(): Promise<void>;
}

const NOFOLLOW_ANY_ON_MACOS = 0x2000_0000;
const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

function wrapFolder(handle: FileHandle, absolute: string): OpenFolder {
  const base = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : absolute;
  return {
    handle,
    at: (name) => `${base}/${name}`,
    enter: (name) => openStep(`${base}/${name}`, path.join(absolute, name)),
    close: () => handle.close(),
  };
}

async function openStep(place: string, absolute: string): Promise<OpenFolder> {
  const flags = process.platform === "darwin" ? FOLDER_FLAGS | NOFOLLOW_ANY_ON_MACOS : FOLDER_FLAGS;
  return wrapFolder(await open(place, flags), absolute);
}

/** Opens `root` and walks down the names; with `create` missing folders are made (mode 0777 less umask). */
export async function openFolder(root: string, names: readonly string[], options: { readonly create?: boolean } = {}): Promise<OpenFolder> {
  let folder = await openStep(root, root);
  for (const name of names) {
    const parent = folder;
    try {
      if (options.create === true) await makeUnlessThere(parent.at(name));
      folder = await parent.enter(name);
    } finally {
      await parent.close();
    }
  }
  return folder;
}

async function makeUnlessThere(place: string): Promise<void> {
  try {
    await mkdir(place);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

/** Opens the folder that holds `place`, runs `work` with it and the last name, and closes it again. */
export async function inParentFolder<T>(
  place: ContainedPath,
  work: (folder: OpenFolder, name: string) => Promise<T>,
  options: { readonly create?: boolean } = {},
): Promise<T> {
  const name = place.segments.at(-1);
  if (name === undefined) throw new AppError("invalid_request", "That is the workspace itself.");
  let folder: OpenFolder | null = null;
  try {
    folder = await openFolder(place.root, place.segments.slice(0, -1), options);
    return await work(folder, name);
  } catch (error) {
    throw toFileError(error, place.relative);
  } finally {
    await folder?.close();
  }
}
