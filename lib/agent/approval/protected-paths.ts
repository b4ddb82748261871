/**
 * Which folders must never be deleted as a whole: the root, system folders, home folders and what
 * holds them. Works on the text of a path: globs are matched against the list, `..` is taken out,
 * a variable that is never set counts as the nothing it expands to.
 */
import { posix } from "node:path";
import { globPattern } from "./glob-pattern";
import { UNKNOWN, UNSET, type ShellScope } from "./shell-scope";

const PROTECTED_FOLDERS: readonly string[] = [
  "/", "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib32", "/lib64", "/libx32", "/media", "/mnt", "/opt", "/proc", "/root", "/run",
  "/sbin", "/srv", "/sys", "/usr", "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/local", "/usr/sbin", "/usr/share", "/var", "/var/lib",
  "/nix", "/snap", "/system", "/library", "/applications", "/users", "/volumes", "/private", "/private/etc", "/private/var", "/cores",
];
/** Any one person's home, and Windows drives under WSL. */
const PROTECTED_SHAPES: readonly RegExp[] = [/^\/(?:home|users)\/[^/]+$/, /^\/mnt\/[a-z]$/, /^\/mnt\/[a-z]\/(?:users|windows)(?:\/[^/]+)?$/];

const GLOB_SIGNS = /[*?[]/;

/**
 * An expanded word as a path with `.` and `..` gone, absolute where the working folder is known. Without it a relative
 * path stays relative. Unknown parts stay in.
 */
export function resolvePath(text: string, scope: ShellScope): string {
  if (text.startsWith("/")) return posix.normalize(text.replace(/^\/+/, "/"));
  return scope.workingFolder === null ? posix.normalize(text) : posix.resolve(scope.workingFolder, text);
}

/** Whether deleting this with everything below would take a protected folder, or all that is in one. */
export function isProtectedTree(text: string, scope: ShellScope): boolean {
  if (text.includes(UNKNOWN) || text === "" || text === UNSET) return false;
  const path = resolvePath(text.replaceAll(UNSET, ""), scope).replace(/(?<=.)\/+$/, "");
  if (!path.startsWith("/")) return false;
  const parts = path.split("/").slice(1);
  const last = parts.at(-1) ?? "";
  if (matchesEverything(last)) return isProtectedTree(posix.dirname(path), scope);
  return isProtectedFolder(path, scope);
}

function isProtectedFolder(path: string, scope: ShellScope): boolean {
  const folded = path.toLowerCase();
  const homes = [scope.place.home, scope.place.profileHome].flatMap(withParents).map((folder) => folder.toLowerCase());
  const listed = [...PROTECTED_FOLDERS, ...homes];
  if (!GLOB_SIGNS.test(folded)) return listed.includes(folded) || PROTECTED_SHAPES.some((shape) => shape.test(folded));
  const parts = folded.split("/");
  const matchers = parts.map((part) => globPattern(part, "", "whole"));
  const matches = (folder: string): boolean => {
    const names = folder.split("/");
    return names.length === parts.length && names.every((name, position) => matchers[position]?.test(name) === true);
  };
  return listed.some((folder) => folder !== "/" && matches(folder));
}

function withParents(folder: string): readonly string[] {
  const parents: string[] = [];
  for (let current = posix.normalize(folder).replace(/(?<=.)\/$/, ""); current !== "/" && current !== "."; current = posix.dirname(current)) parents.push(current);
  return parents;
}

/** `*`, `.*`, `?*`, `[!.]*`, `**`: all, or all that counts, of a folder. */
function matchesEverything(part: string): boolean {
  return /^(?:\.?[?]*\*+|\.?\[[!^]?[^\]]*\]\*+|\.\?\*+)$/.test(part);
}

/** Whether the path lies in the workspace, judged by its text. Unknown paths do not. */
export function isInsideWorkspace(text: string, scope: ShellScope): boolean {
  if (text.includes(UNKNOWN) || text.includes(UNSET)) return !text.startsWith("/") && !text.startsWith(UNKNOWN) && !text.startsWith(UNSET) && !text.includes("..");
  const path = resolvePath(text, scope);
  const { workspace } = scope.place;
  if (!path.startsWith("/")) return !path.startsWith("..");
  return path === workspace || path.startsWith(workspace.endsWith("/") ? workspace : `${workspace}/`);
}
