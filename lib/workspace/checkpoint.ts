/**
 * What files were before a run changed them, so that a workspace without git can tell what the run
 * did. In `checkpoints/<session>/<run>/` each changed file has an entry, made before its first change
 * and never again; a session keeps those of its latest run that changed anything. Bounded: a file or
 * a run that is too big has entries that say so, without bytes.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { SessionId } from "#protocol/ids";
import { contain } from "./contain";
import { deleteTree } from "./delete";
import { errnoOf } from "./file-error";

export interface CheckpointPlace {
  /** `$STATE_DIR`, absolute. */
  readonly state_dir: string;
  readonly session_id: SessionId;
  readonly run_id: string;
}

/** A file as it is right before a change; `bytes` null where it is not there or was too big to read. */
export interface PreviousFile {
  readonly exists: boolean;
  readonly bytes: Uint8Array | null;
}

export type KeptFile = { readonly path: string } & (
  | { readonly before: "absent" }
  | { readonly before: "bytes"; readonly bytes: Uint8Array }
  /** It was there; what it held was too big to keep. */
  | { readonly before: "unknown" }
);

export interface Checkpoint {
  /** By path. */
  readonly files: readonly KeptFile[];
  /** False when more files were changed than are kept. */
  readonly complete: boolean;
}

const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_RUN_BYTES = 50 * 1024 * 1024;
const MAX_FILES = 2000;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/** `root`: real path of the workspace, which a session may change; `path`: real place below it. */
const entrySchema = z.object({ root: z.string(), path: z.string(), before: z.enum(["absent", "bytes", "unknown"]) });

function sessionFolder(stateDir: string, session: SessionId): string {
  return path.join(stateDir, "checkpoints", session);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}

async function writeWhole(place: string, content: string | Uint8Array): Promise<void> {
  await writeFile(`${place}.tmp`, content, { mode: PRIVATE_FILE });
  await rename(`${place}.tmp`, place);
}

async function sizeOf(folder: string, names: readonly string[]): Promise<number> {
  let total = 0;
  for (const name of names) if (name.endsWith(".bytes")) total += (await stat(path.join(folder, name))).size;
  return total;
}

/** The run's folder; those of earlier runs go with the first entry. */
async function openRunFolder({ state_dir, session_id, run_id }: CheckpointPlace): Promise<string> {
  const session = sessionFolder(state_dir, session_id);
  const folder = path.join(session, run_id);
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  for (const name of await readdir(session)) if (name !== run_id) await deleteTree(path.join(session, name));
  return folder;
}

/** To be called before each change; keeps the file unless this run has kept it already. Errors: those of `contain`, and the file system's. */
export async function keepPrevious(place: CheckpointPlace, workspace: string, changed: string, previous: PreviousFile): Promise<void> {
  const { root, segments } = await contain(workspace, changed);
  const key = segments.join("/");
  const folder = await openRunFolder(place);
  const name = createHash("sha256").update(`${root}\0${key}`).digest("hex");
  const names = await readdir(folder);
  if (names.includes(`${name}.json`) || names.filter((found) => found.endsWith(".json")).length >= MAX_FILES) return;
  const { bytes } = previous;
  const fits = bytes !== null && bytes.byteLength <= MAX_FILE_BYTES && (await sizeOf(folder, names)) + bytes.byteLength <= MAX_RUN_BYTES;
  if (fits) await writeWhole(path.join(folder, `${name}.bytes`), bytes);
  const entry: z.infer<typeof entrySchema> = { root, path: key, before: !previous.exists ? "absent" : fits ? "bytes" : "unknown" };
  await writeWhole(path.join(folder, `${name}.json`), JSON.stringify(entry));
}

/** Of the latest run that changed anything in this workspace (`root`: its real path), or null. */
export async function readCheckpoint(stateDir: string, session: SessionId, root: string): Promise<Checkpoint | null> {
  const runs = await namesIn(sessionFolder(stateDir, session));
  const latest = runs.toSorted().at(-1);
  if (latest === undefined) return null;
  const folder = path.join(sessionFolder(stateDir, session), latest);
  const entries = (await namesIn(folder)).filter((name) => name.endsWith(".json"));
  const files: KeptFile[] = [];
  for (const name of entries) {
    const entry = entrySchema.parse(JSON.parse(await readFile(path.join(folder, name), "utf8")));
    if (entry.root !== root) continue;
    const { before } = entry;
    files.push(before === "bytes" ? { path: entry.path, before, bytes: await readFile(path.join(folder, name.replace(/\.json$/, ".bytes"))) } : { path: entry.path, before });
  }
  if (files.length === 0) return null;
  return { files: files.toSorted((first, second) => (first.path < second.path ? -1 : 1)), complete: entries.length < MAX_FILES };
}

export async function deleteCheckpoints(stateDir: string, session: SessionId): Promise<void> {
  await deleteTree(sessionFolder(stateDir, session));
}
