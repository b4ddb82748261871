/**
 * Names and contents of the workspace, searched by our own walk. Bounded in files, bytes per file,
 * answers and time: what ended it early is said, so that "nothing found" can be believed.
 */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { FileSearch, FoundPlace } from "#protocol/file-shapes";
import { contain, type ContainedPath } from "./contain";
import { errnoOf, toFileError } from "./file-error";
import { createGlob } from "./ignore-rules";
import { inParentFolder, openFolder } from "./open-folder";
import { createTextScan, type PatternScan } from "./pattern-scan";
import { readStart } from "./read";
import { walk, type WalkedEntry } from "./walk";

export interface SearchRequest {
  readonly workspace: string;
  /** A folder or a file of the workspace. */
  readonly path: string;
  readonly pattern: PatternScan;
  /** Only files whose path fits, e.g. `*.ts`. */
  readonly glob?: string;
  readonly signal: AbortSignal;
}

const MAX_ENTRIES = 100_000;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_LINES = 200;
const MAX_NAMES = 50;
const TIME_LIMIT_MS = 10_000;
const BINARY_PROBE = 8192;

interface Collected {
  readonly names: FoundPlace[];
  readonly lines: FoundPlace[];
  ended: FileSearch["ended"];
}

/** The text of a file, or null for a binary, a huge or a vanished one. */
async function textAt(place: string): Promise<string | null> {
  try {
    const handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size > MAX_FILE_BYTES) return null;
      const bytes = await readStart(handle, stats.size);
      return bytes.subarray(0, BINARY_PROBE).includes(0) ? null : bytes.toString("utf8");
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errnoOf(error) !== null) return null;
    throw error;
  }
}

function scanName(entry: Pick<WalkedEntry, "path" | "type">, pattern: PatternScan, into: Collected): void {
  const name = entry.path.slice(entry.path.lastIndexOf("/") + 1);
  if (into.names.length >= MAX_NAMES) return;
  const found = pattern.scan(name, 1);
  if (found.kind === "too_slow") into.ended = "too_slow";
  else if (found.lines.length > 0) into.names.push({ path: entry.path, type: entry.type, line: null, text: name });
}

async function scanContent(entry: Pick<WalkedEntry, "path" | "at">, pattern: PatternScan, into: Collected): Promise<void> {
  const text = await textAt(entry.at);
  if (text === null) return;
  const found = pattern.scan(text, MAX_LINES - into.lines.length);
  if (found.kind === "too_slow") {
    into.ended = "too_slow";
    return;
  }
  into.lines.push(...found.lines.map(({ line, text: words }) => ({ path: entry.path, type: "file" as const, line, text: words })));
  if (into.lines.length >= MAX_LINES) into.ended = "enough";
}

async function searchFolder(start: ContainedPath, request: SearchRequest, into: Collected): Promise<void> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
  const fits = request.glob === undefined ? () => true : createGlob(request.glob);
  const onLimit = () => {
    into.ended = "limit";
  };
  for await (const entry of walk(start, { limit: MAX_ENTRIES, signal, onLimit })) {
    if (entry.type === "file" && !fits(entry.path)) continue;
    if (entry.type === "file" || request.glob === undefined) scanName(entry, request.pattern, into);
    if (entry.type === "file" && into.ended === "complete") await scanContent(entry, request.pattern, into);
    if (into.ended !== "complete") return;
  }
  if (signal.aborted) into.ended = "limit";
}

/** Errors: `outside_workspace`, `not_found`. Lines come first, then names. */
export async function searchPlaces(request: SearchRequest): Promise<FileSearch> {
  const start = await contain(request.workspace, request.path);
  const into: Collected = { names: [], lines: [], ended: "complete" };
  const isFolder = await openFolder(start.root, start.segments).then(
    async (folder) => {
      await folder.close();
      return true;
    },
    (error: unknown) => {
      if (errnoOf(error) === "ENOTDIR") return false;
      throw toFileError(error, start.relative);
    },
  );
  if (isFolder) await searchFolder(start, request, into);
  else await inParentFolder(start, (folder, name) => scanContent({ path: start.relative, at: folder.at(name) }, request.pattern, into));
  return { results: [...into.lines, ...into.names], truncated: into.ended !== "complete" || into.names.length >= MAX_NAMES, ended: into.ended };
}

/** What the person's search box asks: the text itself, in names and contents, case ignored. */
export async function searchWorkspace(workspace: string, text: string, signal: AbortSignal): Promise<FileSearch> {
  const scan = createTextScan(text);
  if (text.trim() === "" || scan.kind === "invalid") return { results: [], truncated: false, ended: "complete" };
  return searchPlaces({ workspace, path: "", pattern: scan.pattern, signal });
}
