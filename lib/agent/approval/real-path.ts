/** Where a path leads once the links that are there now are followed, to what does not exist yet too. */
import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** As the system has it; a circle of links ends there as well. */
const MOST_LINKS = 40;

/** `path` is absolute. What cannot be looked at stays as it is written. */
export function realPathOf(path: string): string {
  return follow(path, MOST_LINKS);
}

function follow(path: string, linksLeft: number): string {
  const real = attempt(() => realpathSync(path));
  if (real !== null) return real;
  const target = attempt(() => readlinkSync(path));
  if (target !== null) return linksLeft === 0 ? path : follow(resolve(dirname(path), target), linksLeft - 1);
  const parent = dirname(path);
  return parent === path ? path : join(follow(parent, linksLeft), basename(path));
}

function attempt(look: () => string): string | null {
  try {
    return look();
  } catch {
    // Not there, no link, or not to be looked at: the caller goes on with the path's parent.
    return null;
  }
}
