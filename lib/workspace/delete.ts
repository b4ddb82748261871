/**
 * W5 Deleting never follows a link: a link is removed as a link, whatever it leads to, and a folder
 * is emptied through descriptors, so that a folder swapped for a link meanwhile is not entered.
 */
import { lstat, readdir, rmdir, unlink } from "node:fs/promises";
import path from "node:path";
import { AppError } from "#protocol/errors";
import { contain } from "./contain";
import { errnoOf } from "./file-error";
import { inParentFolder, type OpenFolder } from "./open-folder";

/** Each level holds one descriptor open; deeper trees than this are refused before that runs out. */
const MAX_DEPTH = 200;

async function unlessGone(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

async function empty(folder: OpenFolder, depth: number): Promise<void> {
  if (depth > MAX_DEPTH) throw new AppError("conflict", "That folder is nested too deeply to delete.");
  for (const found of await readdir(folder.at("."), { withFileTypes: true })) {
    if (found.isDirectory()) await unlessGone(removeFolder(folder, found.name, depth + 1));
    else await unlessGone(unlink(folder.at(found.name)));
  }
}

async function removeFolder(parent: OpenFolder, name: string, depth: number): Promise<void> {
  const folder = await parent.enter(name);
  try {
    await empty(folder, depth);
  } finally {
    await folder.close();
  }
  await rmdir(parent.at(name));
}

/** Errors: `outside_workspace`, `not_found`, `conflict` (a full folder without `recursive`, no permission). */
export async function deletePath(workspace: string, asked: string, recursive: boolean): Promise<void> {
  const place = await contain(workspace, asked, { follow: false });
  await inParentFolder(place, async (folder, name) => {
    const isFolder = (await lstat(folder.at(name))).isDirectory();
    if (!isFolder) await unlink(folder.at(name));
    else if (recursive) await removeFolder(folder, name, 0);
    else await rmdir(folder.at(name));
  });
}

/** Removes a folder of our own (attachments, a profile's home) with everything in it; gone already is fine. */
export async function deleteTree(absolute: string): Promise<void> {
  try {
    await deletePath(path.dirname(absolute), path.basename(absolute), true);
  } catch (error) {
    if (!(error instanceof AppError && error.code === "not_found")) throw error;
  }
}
