/** What lies at a path, as `GET /api/files` answers it: a folder with its entries or a file with its content. */
import { stat } from "node:fs/promises";
import { contain } from "./contain";
import { toFileError } from "./file-error";
import { type FolderView, listFolder } from "./list";
import { type FileView, readFileView } from "./read";

/** Errors: those of `listFolder` and `readFileView`. */
export async function readPlace(workspace: string, path: string): Promise<FolderView | FileView> {
  const place = await contain(workspace, path);
  const stats = await stat(place.real).catch((error: unknown) => {
    throw toFileError(error, place.relative);
  });
  return stats.isDirectory() ? listFolder(workspace, path) : readFileView(workspace, path);
}
