/**
 * All files below a folder of the workspace, one folder held open at a time, links not followed,
 * ignored ones left out. Bounded by count and by the signal, so that a search over a home folder or
 * a disk of millions of files ends.
 */
import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import type { ContainedPath } from "./contain";
import { errnoOf } from "./file-error";
import { createIgnoreRules, type IgnoreRules } from "./ignore-rules";
import { openFolder, type OpenFolder } from "./open-folder";
import { decodeText, readStart } from "./read";

export interface WalkedEntry {
  /** Below the workspace, by real names, with forward slashes. */
  readonly path: string;
  readonly type: "file" | "dir";
  /** For opening it with O_NOFOLLOW; good until the next entry is asked for. */
  readonly at: string;
}

export interface WalkOptions {
  /** Entries visited at most, ignored ones included. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Told once when the limit ended the walk. */
  readonly onLimit?: () => void;
}

interface Pending {
  readonly names: readonly string[];
  readonly rules: IgnoreRules;
}

const MAX_IGNORE_FILE = 256 * 1024;

/** A folder that vanished, or may not be read, is passed over; so is one swapped for a link. */
const PASSED_OVER = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP"]);

async function openOrPass(root: string, names: readonly string[]): Promise<OpenFolder | null> {
  try {
    return await openFolder(root, names);
  } catch (error) {
    if (PASSED_OVER.has(errnoOf(error) ?? "")) return null;
    throw error;
  }
}

async function rulesOf(folder: OpenFolder, path: string, above: IgnoreRules): Promise<IgnoreRules> {
  try {
    const handle = await open(folder.at(".gitignore"), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await handle.stat()).isFile()) return above;
      const text = decodeText(await readStart(handle, MAX_IGNORE_FILE), true);
      return text === null ? above : above.with(path, text);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errnoOf(error) !== null) return above;
    throw error;
  }
}

/** Rules of the folders above the start count too, unless they would leave out the start itself. */
async function rulesFromAbove(start: ContainedPath): Promise<IgnoreRules> {
  const path = start.segments.join("/");
  let rules = createIgnoreRules(path);
  for (let depth = 0; depth < start.segments.length; depth += 1) {
    const names = start.segments.slice(0, depth);
    const folder = await openOrPass(start.root, names);
    if (folder === null) continue;
    try {
      const more = await rulesOf(folder, names.join("/"), rules);
      if (!more.ignores(path, true)) rules = more;
    } finally {
      await folder.close();
    }
  }
  return rules;
}

/** Folders before what is in them, names in order. `start` is a folder. Ends early, without an error, when the signal aborts. */
export async function* walk(start: ContainedPath, options: WalkOptions): AsyncGenerator<WalkedEntry, void> {
  const waiting: Pending[] = [{ names: start.segments, rules: await rulesFromAbove(start) }];
  let visited = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const folder = await openOrPass(start.root, next.names);
    if (folder === null) continue;
    try {
      const rules = await rulesOf(folder, next.names.join("/"), next.rules);
      const found = await readdir(folder.at("."), { withFileTypes: true });
      const below: Pending[] = [];
      for (const entry of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        if (options.signal.aborted) return;
        visited += 1;
        if (visited > options.limit) return options.onLimit?.();
        const names = [...next.names, entry.name];
        const path = names.join("/");
        if (!(entry.isFile() || entry.isDirectory()) || rules.ignores(path, entry.isDirectory())) continue;
        if (entry.isDirectory()) below.push({ names, rules });
        yield { path, type: entry.isDirectory() ? "dir" : "file", at: folder.at(entry.name) };
      }
      waiting.push(...below.reverse());
    } finally {
      await folder.close();
    }
  }
}
