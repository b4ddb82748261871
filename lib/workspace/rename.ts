/**
 * Moves a file, folder or link inside the workspace. Nothing is overwritten. A link moves as itself,
 * but only one that stays inside: a link out is refused like any other path that leaves.
 */
import { lstat, rename } from "node:fs/promises";
import { AppError } from "#protocol/errors";
import { contain } from "./contain";
import { type FileEntry, toEntry } from "./file-entry";
import { errnoOf } from "./file-error";
import { inParentFolder } from "./open-folder";

async function refuseIfTaken(target: string, source: string, shown: string): Promise<void> {
  try {
    const [there, here] = await Promise.all([lstat(target, { bigint: true }), lstat(source, { bigint: true })]);
    // On a file system that ignores case, `Readme` and `README` are one file with a new name.
    if (there.ino === here.ino && there.dev === here.dev) return;
    throw new AppError("conflict", `Something is already at ${shown}.`);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

/** Errors: `outside_workspace`, `not_found`, `conflict` (`to` is taken, a folder into itself). */
export async function renamePath(workspace: string, from: string, to: string): Promise<FileEntry> {
  await contain(workspace, from);
  const source = await contain(workspace, from, { follow: false });
  const target = await contain(workspace, to, { follow: false });
  return inParentFolder(source, async (fromFolder, fromName) => {
    // Here a missing source is told by its own name.
    await lstat(fromFolder.at(fromName));
    return inParentFolder(
      target,
      async (toFolder, toName) => {
        await refuseIfTaken(toFolder.at(toName), fromFolder.at(fromName), target.relative);
        await rename(fromFolder.at(fromName), toFolder.at(toName));
        return toEntry(target.relative, await lstat(toFolder.at(toName), { bigint: true }));
      },
      { create: true },
    );
  });
}
