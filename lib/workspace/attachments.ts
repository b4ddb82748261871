/**
 * Files that came with messages. Each has a folder of its own, named by its id, so that no name can
 * meet another; and a name that is its own within its session, claimed by creating
 * `names/<session>/<name>` exclusively, so that two uploads of `kite.png` at one moment are told
 * apart. The size limit holds while the bytes come in, whatever length was announced.
 */
import { type FileHandle, mkdir, open, readFile, readdir, rename } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { AppError } from "#protocol/errors";
import { type Id, parseId, type SessionId } from "#protocol/ids";
import { deleteTree } from "./delete";
import { errnoOf, toFileError } from "./file-error";
import { detectMediaType, isImage, MEDIA_PROBE_BYTES } from "./media-type";
import { numberedName, toSafeName } from "./safe-name";

const storedSchema = z.object({
  attachment_id: z.string(),
  session_id: z.string(),
  name: z.string(),
  mime: z.string(),
  size: z.number().int().nonnegative(),
  is_image: z.boolean(),
});

/** `path`: absolute, of the stored bytes. */
export type StoredAttachment = z.infer<typeof storedSchema> & { readonly path: string };

export interface IncomingAttachment {
  /** `$STATE_DIR`, absolute. */
  readonly state_dir: string;
  readonly session_id: SessionId;
  readonly attachment_id: Id<"att">;
  /** As the browser gave it. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Bytes; default 25 MiB. */
  readonly limit?: number;
}

const DEFAULT_LIMIT = 25 * 1024 * 1024;
const MAX_SAME_NAMES = 1000;
const FACTS = "attachment.json";
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

function folderOf(stateDir: string, id: Id<"att">): string {
  return path.join(stateDir, "attachments", id);
}

function namesOf(stateDir: string, session: SessionId): string {
  return path.join(stateDir, "attachments", "names", session);
}

/** Takes the first free of `name`, `name (2)`, … for the session. */
async function claimName(incoming: IncomingAttachment): Promise<string> {
  const folder = namesOf(incoming.state_dir, incoming.session_id);
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const wanted = toSafeName(incoming.name);
  for (let number = 1; number <= MAX_SAME_NAMES; number += 1) {
    const name = numberedName(wanted, number);
    try {
      const claim = await open(path.join(folder, name), "wx", PRIVATE_FILE);
      await claim.writeFile(incoming.attachment_id);
      await claim.close();
      return name;
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  }
  throw new AppError("conflict", "There are too many attachments of that name.");
}

interface Received {
  readonly size: number;
  readonly head: Uint8Array;
}

async function receive(handle: FileHandle, incoming: IncomingAttachment): Promise<Received> {
  const limit = incoming.limit ?? DEFAULT_LIMIT;
  let head = new Uint8Array(0);
  let size = 0;
  for await (const piece of incoming.bytes) {
    size += piece.byteLength;
    if (size > limit) throw new AppError("too_large", `A file may have at most ${Math.floor(limit / 1024 / 1024)} MiB.`);
    if (head.length < MEDIA_PROBE_BYTES) head = new Uint8Array(Buffer.concat([head, piece.subarray(0, MEDIA_PROBE_BYTES - head.length)]));
    await handle.writeFile(piece);
  }
  await handle.sync();
  return { size, head };
}

async function writeWhole(place: string, text: string): Promise<void> {
  const handle = await open(`${place}.tmp`, "wx", PRIVATE_FILE);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${place}.tmp`, place);
}

/** Stores the bytes and answers what they are. Errors: `too_large`; nothing is left then. */
export async function storeAttachment(incoming: IncomingAttachment): Promise<StoredAttachment> {
  const folder = folderOf(incoming.state_dir, incoming.attachment_id);
  await mkdir(path.dirname(folder), { recursive: true, mode: PRIVATE_FOLDER });
  await mkdir(folder, { mode: PRIVATE_FOLDER });
  try {
    const place = path.join(folder, "content");
    const handle = await open(place, "wx", PRIVATE_FILE);
    const { size, head } = await receive(handle, incoming).finally(() => handle.close());
    const mime = await detectMediaType(incoming.name, head, head.length === size);
    // The name is claimed last: an upload that failed must not keep one.
    const name = await claimName(incoming);
    const { attachment_id, session_id } = incoming;
    const stored = { attachment_id, session_id, name, mime, size, is_image: isImage(mime) };
    const named = path.join(folder, name === FACTS ? `file-${name}` : name);
    await rename(place, named);
    await writeWhole(path.join(folder, FACTS), JSON.stringify(stored));
    return { ...stored, path: named };
  } catch (error) {
    await deleteTree(folder);
    throw toFileError(error, toSafeName(incoming.name));
  }
}

/** A stored attachment, or null when there is none of that id. */
export async function findAttachment(stateDir: string, id: unknown): Promise<StoredAttachment | null> {
  const known = parseId("att", id);
  if (known === null) return null;
  const folder = folderOf(stateDir, known);
  try {
    const stored = storedSchema.parse(JSON.parse(await readFile(path.join(folder, FACTS), "utf8")));
    return { ...stored, path: path.join(folder, stored.name === FACTS ? `file-${stored.name}` : stored.name) };
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Removes all attachments of a session; links in their folders are not followed. */
export async function deleteSessionAttachments(stateDir: string, session: SessionId): Promise<void> {
  const names = namesOf(stateDir, session);
  const claims = await readdir(names).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  });
  for (const claim of claims) {
    const id = parseId("att", (await readFile(path.join(names, claim), "utf8")).trim());
    if (id !== null) await deleteTree(folderOf(stateDir, id));
  }
  await deleteTree(names);
}
