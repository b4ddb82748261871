/**
 * The texts of a profile that a person writes: who the agent is, its two memories, and its skills.
 * Only these names exist here; everything else in the home is not reachable. A text is written only
 * over the version that was read, under the lock that the agent's own memory takes too, and never
 * through a link that leads out of the home.
 */
import { lstat, mkdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { AppError } from "#protocol/errors";
import type { OpenedText, ProfileText } from "#protocol/profile-shapes";
import { editFile, errorCode, readText } from "./edit-file";
import { readMemory, type MemoryTarget } from "./memory";
import { listSkillFiles } from "./skills";

const SOUL = "SOUL.md";
const MEMORIES: Readonly<Record<MemoryTarget, string>> = { memory: "memories/MEMORY.md", user: "memories/USER.md" };
const SKILL = /^skills\/(?:[^/]+\/){1,2}SKILL\.md$/;
/** A folder's name as skills have it: visible, no dots at its start. */
const FOLDER = /^[^.\p{C}/\\][^\p{C}/\\]{0,63}$/u;
/** What the readers of these files take. */
const MAX_BYTES: Readonly<Record<ProfileText["kind"], number>> = { soul: 64 * 1024, memory: 256 * 1024, user: 256 * 1024, skill: 256 * 1024 };

export async function listTexts(home: string): Promise<readonly ProfileText[]> {
  const own = [
    { path: SOUL, kind: "soul" as const, room: null },
    { path: MEMORIES.memory, kind: "memory" as const, room: await roomOf(home, "memory") },
    { path: MEMORIES.user, kind: "user" as const, room: await roomOf(home, "user") },
  ].map((text) => ({ ...text, name: text.path, description: null }));
  const skills = (await listSkillFiles(home)).map((skill) => ({ ...skill, kind: "skill" as const, room: null }));
  return Promise.all([...own, ...skills].map(async (text) => ({ ...text, size: await sizeOf(join(home, text.path)) })));
}

/** Throws `not_found` (no text of a profile), `outside_workspace` (a link that leads out), `too_large`, `conflict` (no readable file). */
export async function readProfileText(home: string, path: string): Promise<OpenedText> {
  const max_bytes = MAX_BYTES[kindOf(path)];
  const place = await contained(home, path);
  // First the time: a change in between makes a later save refuse, never overwrite.
  const mtime = await mtimeOf(place);
  const read = await readText(place, max_bytes);
  switch (read.status) {
    case "read":
      return { path, content: read.text, mtime, max_bytes };
    case "missing":
      return { path, content: "", mtime: null, max_bytes };
    case "too_large":
      throw new AppError("too_large", `This file is larger than ${max_bytes} bytes.`);
    case "unreadable":
      throw new AppError("conflict", "This file cannot be read.");
  }
}

/** `expected`: the mtime that was read; null for a new file. Throws as reading does, and `changed_on_disk`. */
export async function writeProfileText(home: string, path: string, content: string, expected: number | null): Promise<OpenedText> {
  const max_bytes = MAX_BYTES[kindOf(path)];
  if (Buffer.byteLength(content) > max_bytes) throw new AppError("too_large", `This text may have at most ${max_bytes} bytes.`);
  const place = await contained(home, path);
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  // What the folders are now, after they were made.
  if ((await contained(home, path)) !== place) throw outside();
  await editFile(place, async () => {
    const current = await mtimeOf(place);
    // A double holds today's seconds to 0.24 µs.
    const isSame = current === null || expected === null ? current === expected : Math.abs(current - expected) < 1e-6;
    if (!isSame) throw new AppError("changed_on_disk", "The file changed on disk since it was opened.");
    return { text: content, result: null };
  });
  return { path, content, mtime: await mtimeOf(place), max_bytes };
}

function kindOf(path: string): ProfileText["kind"] {
  if (path === SOUL) return "soul";
  if (path === MEMORIES.memory) return "memory";
  if (path === MEMORIES.user) return "user";
  if (SKILL.test(path) && path.split("/").slice(1, -1).every((name) => FOLDER.test(name))) return "skill";
  throw new AppError("not_found", "A profile has no such text.");
}

/** The real place of the file; its last folders may not be there yet. */
async function contained(home: string, path: string): Promise<string> {
  const root = await realpath(home);
  const place = await realPlace(join(root, path));
  const isInside = place.startsWith(root.endsWith(sep) ? root : root + sep);
  // Hidden files, `.env` above all, are nobody's text.
  if (!isInside || basename(place).startsWith(".")) throw outside();
  return place;
}

async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    // A link to nothing is one that leads out as soon as something is there.
    if (errorCode(cause) !== "ENOENT" || (await lstat(path).catch(() => null)) !== null) throw outside();
    return join(/* turbopackIgnore: true */ await realPlace(dirname(path)), basename(path));
  }
}

function outside(): AppError {
  return new AppError("outside_workspace", "This file is a link that leads out of the profile. Change it there.");
}

async function mtimeOf(place: string): Promise<number | null> {
  const found = await stat(place, { bigint: true }).catch((cause: unknown) => {
    if (errorCode(cause) === "ENOENT") return null;
    throw cause;
  });
  return found === null ? null : Number(found.mtimeNs) / 1e9;
}

async function sizeOf(place: string): Promise<number | null> {
  const found = await stat(place).catch(() => null);
  return found?.isFile() === true ? found.size : null;
}

async function roomOf(home: string, target: MemoryTarget): Promise<NonNullable<ProfileText["room"]>> {
  const { used, limit } = await readMemory(home, target);
  return { used, limit };
}
