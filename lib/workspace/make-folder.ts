/** A new folder in the workspace, with the folders above it that are missing. */
import { lstat, mkdir } from "node:fs/promises";
import { contain } from "./contain";
import { type FileEntry, toEntry } from "./file-entry";
import { inParentFolder } from "./open-folder";

/** Errors: `outside_workspace`, `conflict` (something is there already, no permission). */
export async function makeFolder(workspace: string, path: string): Promise<FileEntry> {
  const place = await contain(workspace, path);
  return inParentFolder(
    place,
    async (folder, name) => {
      await mkdir(folder.at(name));
      return toEntry(place.relative, await lstat(folder.at(name), { bigint: true }));
    },
    { create: true },
  );
}
