/**
 * Skills of a profile: `skills/<name>/SKILL.md` and `skills/<category>/<name>/SKILL.md`. Only name and
 * description go into the prompt; the text of one is read when it is asked for. A file of a skill
 * never lies outside the skill's folder, by link or by `..`.
 */
import { open, readdir, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { parseDocument } from "yaml";
import { z } from "zod";
import { readText } from "./edit-file";

export interface SkillSummary {
  readonly name: string;
  readonly description: string;
  /** Null for a skill that lies directly under `skills/`. */
  readonly category: string | null;
}

interface FoundSkill extends SkillSummary {
  readonly folder: string;
}

export type SkillText = { readonly status: "read"; readonly text: string } | { readonly status: "refused"; readonly reason: "not_found" | "outside" | "too_large" | "unreadable"; readonly message: string };

const MAX_SKILLS = 500;
const MAX_FOLDERS = 1_000;
const MAX_HEAD_BYTES = 16 * 1024;
const MAX_FILE_BYTES = 256 * 1024;
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1_024;

const frontmatter = z.looseObject({
  name: z.string().trim().min(1).max(MAX_NAME).nullish().catch(null),
  description: z.string().trim().nullish().catch(null),
  platforms: z.array(z.string()).nullish().catch(null),
});
const PLATFORM_NAMES: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: "macos", linux: "linux", win32: "windows" };

/** By name; of two with one name the first by path counts. Skills for other systems are left out. */
export async function listSkills(home: string): Promise<readonly SkillSummary[]> {
  return (await findSkills(home)).map(({ name, description, category }) => ({ name, description, category }));
}

/** As `listSkills`, with where each one's text lies below the home. */
export async function listSkillFiles(home: string): Promise<readonly { readonly name: string; readonly description: string; readonly path: string }[]> {
  return (await findSkills(home)).map(({ name, description, folder }) => ({ name, description, path: [...relative(home, folder).split(sep), "SKILL.md"].join("/") }));
}

/** The text of a skill's SKILL.md, or of a file in its folder. */
export async function readSkill(home: string, name: string, file: string | null = null): Promise<SkillText> {
  const skill = (await findSkills(home)).find((candidate) => candidate.name === name);
  if (skill === undefined) return { status: "refused", reason: "not_found", message: "There is no skill of this name." };
  const folder = await realpath(skill.folder);
  const path = await realpath(join(/* turbopackIgnore: true */ folder, file ?? "SKILL.md")).catch(() => null);
  if (path === null) return { status: "refused", reason: "not_found", message: "The skill has no such file." };
  if (file !== null && !path.startsWith(folder + sep)) return { status: "refused", reason: "outside", message: "That path lies outside the skill." };
  const read = await readText(path, MAX_FILE_BYTES);
  if (read.status === "read") return { status: "read", text: read.text };
  if (read.status === "missing") return { status: "refused", reason: "not_found", message: "The skill has no such file." };
  if (read.status === "too_large") return { status: "refused", reason: "too_large", message: `The file is larger than ${MAX_FILE_BYTES} bytes.` };
  return { status: "refused", reason: "unreadable", message: "The file cannot be read." };
}

async function findSkills(home: string): Promise<readonly FoundSkill[]> {
  const root = join(home, "skills");
  const found = new Map<string, FoundSkill>();
  let foldersLeft = MAX_FOLDERS;
  for (const outer of await foldersIn(root)) {
    const own = await readHead(join(root, outer), outer, null);
    const inner = own === "no_skill" ? await foldersIn(join(root, outer)) : [];
    const candidates = [own, ...(await Promise.all(inner.slice(0, foldersLeft).map((name) => readHead(join(root, outer, name), name, outer))))];
    foldersLeft -= candidates.length;
    for (const skill of candidates) {
      if (typeof skill !== "string" && !found.has(skill.name)) found.set(skill.name, skill);
    }
    if (found.size >= MAX_SKILLS || foldersLeft <= 0) break;
  }
  return [...found.values()].slice(0, MAX_SKILLS).toSorted((first, second) => (first.name < second.name ? -1 : 1));
}

/** Names of folders, links to folders included; hidden ones are not skills. */
async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const visible = entries.filter((entry) => !entry.name.startsWith(".") && (entry.isDirectory() || entry.isSymbolicLink()));
  const checked = await Promise.all(visible.slice(0, MAX_FOLDERS).map(async (entry) => (entry.isDirectory() || (await isFolder(join(folder, entry.name))) ? [entry.name] : [])));
  return checked.flat().toSorted();
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

async function readHead(folder: string, folderName: string, category: string | null): Promise<FoundSkill | "no_skill" | "other_platform"> {
  const head = await readStart(join(folder, "SKILL.md"));
  if (head === null) return "no_skill";
  const { name, description, platforms } = parseFrontmatter(head);
  const here = PLATFORM_NAMES[process.platform];
  if (platforms != null && platforms.length > 0 && !platforms.some((platform) => platform.toLowerCase() === here)) return "other_platform";
  return { name: name ?? folderName.slice(0, MAX_NAME), description: (description ?? "").replace(/\s+/g, " ").slice(0, MAX_DESCRIPTION), category, folder };
}

function parseFrontmatter(text: string): z.infer<typeof frontmatter> {
  const block = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[1];
  if (block === undefined) return {};
  const document = parseDocument(block, { uniqueKeys: false });
  const parsed = frontmatter.safeParse(document.errors.length === 0 ? document.toJS({ maxAliasCount: 10 }) : {});
  return parsed.success ? parsed.data : {};
}

/** The first bytes of a regular file, null when there is none. */
async function readStart(path: string): Promise<string | null> {
  if ((await stat(path).catch(() => null))?.isFile() !== true) return null;
  const handle = await open(path, "r").catch(() => null);
  if (handle === null) return null;
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(MAX_HEAD_BYTES), 0, MAX_HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead).toString("utf8");
  } finally {
    await handle.close();
  }
}
