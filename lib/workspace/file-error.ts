/**
 * What the file system says, in our words. A failed call ends as an `AppError` whose code is of the
 * closed list and whose message names the path as it was asked for, never a path of the machine.
 * An error that is one of ours already passes through untouched.
 */
import { AppError, type ErrorCode } from "#protocol/errors";

interface Wording {
  readonly code: ErrorCode;
  readonly words: (path: string) => string;
}

const WORDING_BY_ERRNO: Readonly<Record<string, Wording>> = {
  ENOENT: { code: "not_found", words: (path) => `There is nothing at ${path}.` },
  ENOTDIR: { code: "not_found", words: (path) => `There is nothing at ${path}: a part of it is no folder.` },
  ELOOP: { code: "outside_workspace", words: (path) => `The links in ${path} lead nowhere in the workspace.` },
  EACCES: { code: "conflict", words: (path) => `There is no permission for ${path}.` },
  EPERM: { code: "conflict", words: (path) => `There is no permission for ${path}.` },
  EROFS: { code: "conflict", words: (path) => `${path} lies on a read-only disk.` },
  ENOSPC: { code: "conflict", words: (path) => `The disk is full; ${path} was not written.` },
  EDQUOT: { code: "conflict", words: (path) => `The disk quota is used up; ${path} was not written.` },
  EEXIST: { code: "conflict", words: (path) => `Something is already at ${path}.` },
  ENOTEMPTY: { code: "conflict", words: (path) => `The folder ${path} is not empty.` },
  EINVAL: { code: "conflict", words: (path) => `That can't be done with ${path}.` },
  EBUSY: { code: "conflict", words: (path) => `${path} is in use.` },
  ETXTBSY: { code: "conflict", words: (path) => `${path} is in use.` },
  EISDIR: { code: "conflict", words: (path) => `${path} is a folder.` },
  EXDEV: { code: "conflict", words: (path) => `${path} lies on another disk.` },
  ENXIO: { code: "invalid_request", words: (path) => `${path} is no file.` },
  ENAMETOOLONG: { code: "invalid_request", words: () => "That path is too long." },
};

/** The errno name (`ENOENT`, …) of a failed system call, else null. */
export function errnoOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** The failure as an `AppError`; `path` is shown as given. */
export function toFileError(error: unknown, path: string): AppError {
  if (error instanceof AppError) return error;
  const shown = path === "" ? "the workspace" : path;
  const wording = WORDING_BY_ERRNO[errnoOf(error) ?? ""];
  if (wording === undefined) return new AppError("internal", `Something went wrong with ${shown}.`, {}, error);
  return new AppError(wording.code, wording.words(shown), {}, error);
}
