/** One folder of the workspace: folders first, then by name the way people count (`a2` before `a10`). */
import { lstat, opendir, stat } from "node:fs/promises";
import { AppError } from "#protocol/errors";
import { contain } from "./contain";
import { type FileEntry, toEntry } from "./file-entry";
import { errnoOf, toFileError } from "./file-error";
import { openFolder } from "./open-folder";

export interface FolderView {
  readonly path: string;
  readonly type: "dir";
  readonly entries: readonly FileEntry[];
  /** True when the folder holds more than `limit` entries. */
  readonly truncated: boolean;
}

const DEFAULT_LIMIT = 5000;

/** A link is shown as what it leads to, where that is in the workspace; else it stays a `link`. */
async function followInside(workspace: string, link: FileEntry): Promise<FileEntry> {
  try {
    const target = await contain(workspace, link.path);
    return toEntry(link.path, await stat(target.real, { bigint: true }));
  } catch (error) {
    if (error instanceof AppError || errnoOf(error) !== null) return link;
    throw error;
  }
}

async function entryAt(workspace: string, place: string, path: string): Promise<FileEntry | null> {
  try {
    const entry = toEntry(path, await lstat(place, { bigint: true }));
    return entry.type === "link" ? await followInside(workspace, entry) : entry;
  } catch (error) {
    // It vanished between the listing and the look at it.
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}

function inReadingOrder(entries: readonly FileEntry[]): readonly FileEntry[] {
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const rank = (entry: FileEntry) => (entry.type === "dir" ? 0 : 1);
  return entries.toSorted((a, b) => rank(a) - rank(b) || collator.compare(a.name, b.name) || (a.name < b.name ? -1 : 1));
}

/** Errors: `outside_workspace`, `not_found`, `conflict` (no permission). */
export async function listFolder(workspace: string, path: string, limit: number = DEFAULT_LIMIT): Promise<FolderView> {
  const place = await contain(workspace, path);
  const folder = await openFolder(place.root, place.segments).catch((error: unknown) => {
    throw toFileError(error, place.relative);
  });
  const entries: FileEntry[] = [];
  let truncated = false;
  try {
    for await (const found of await opendir(folder.at("."))) {
      truncated = entries.length >= limit;
      if (truncated) break;
      const below = place.relative === "" ? found.name : `${place.relative}/${found.name}`;
      const entry = await entryAt(workspace, folder.at(found.name), below);
      if (entry !== null) entries.push(entry);
    }
  } catch (error) {
    throw toFileError(error, place.relative);
  } finally {
    await folder.close();
  }
  return { path: place.relative, type: "dir", entries: inReadingOrder(entries), truncated };
}
