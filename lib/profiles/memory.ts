/**
 * `memories/MEMORY.md` (about the work) and `memories/USER.md` (about the person): entries parted by a
 * line with a section sign, as Hermes Agent keeps them. Small on purpose, since all of it stands in the
 * prompt: what does not fit is refused with the current entries, so that the model makes room itself.
 * Each change reads the file anew under a lock; edits made by hand are kept.
 */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { editFile, errorCode, readText } from "./edit-file";

export type MemoryTarget = "memory" | "user";

export interface MemoryState {
  readonly entries: readonly string[];
  /** Characters of the file. */
  readonly used: number;
  readonly limit: number;
}

export type MemoryChange =
  | { readonly action: "add"; readonly target: MemoryTarget; readonly content: string }
  | { readonly action: "replace"; readonly target: MemoryTarget; readonly content: string; readonly match: string }
  | { readonly action: "remove"; readonly target: MemoryTarget; readonly match: string };

export type MemoryResult =
  | (MemoryState & { readonly status: "saved" | "unchanged"; readonly message: string })
  | (MemoryState & { readonly status: "refused"; readonly reason: "over_limit" | "no_match" | "several_matches" | "bad_content" | "unreadable"; readonly message: string });

const FILES: Readonly<Record<MemoryTarget, { readonly name: string; readonly limit: number; readonly title: string }>> = {
  memory: { name: "MEMORY.md", limit: 2_200, title: "What you noted in earlier sessions" },
  user: { name: "USER.md", limit: 1_375, title: "What you know about the person" },
};
const SEPARATOR = "\n§\n";
const MAX_BYTES = 256 * 1024;
/** Controls, direction marks and signs that are not drawn: a note must be what a reader sees. */
const HIDDEN = /[^\P{Cc}\n\t]|[\u{200B}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2060}-\u{206F}\u{FEFF}\u{E0000}-\u{E007F}]/u;

export async function readMemory(home: string, target: MemoryTarget): Promise<MemoryState> {
  const read = await readText(pathOf(home, target), MAX_BYTES);
  return stateOf(target, read.status === "read" ? parseEntries(read.text) : []);
}

export async function changeMemory(home: string, change: MemoryChange): Promise<MemoryResult> {
  const path = pathOf(home, change.target);
  // Only this one folder: the home of a profile that was deleted meanwhile must not come back.
  await mkdir(dirname(path), { mode: 0o700 }).catch((cause: unknown) => {
    if (errorCode(cause) !== "EEXIST" && errorCode(cause) !== "ENOENT") throw cause;
  });
  return editFile<MemoryResult>(path, async () => {
    const read = await readText(path, MAX_BYTES);
    if (read.status === "too_large" || read.status === "unreadable") {
      return { text: null, result: { ...stateOf(change.target, []), status: "refused", reason: "unreadable", message: "The memory file cannot be read; nothing was changed." } };
    }
    const result = applyChange(stateOf(change.target, read.status === "read" ? parseEntries(read.text) : []), change);
    return { text: result.status === "saved" ? result.entries.join(SEPARATOR) : null, result };
  });
}

function applyChange(state: MemoryState, change: MemoryChange): MemoryResult {
  const content = change.action === "remove" ? null : change.content.trim();
  if (content !== null && (content === "" || HIDDEN.test(content) || `\n${content}\n`.includes(SEPARATOR))) {
    return refuse(state, "bad_content", "A note needs visible text, without a line that is only a section sign.");
  }
  if (change.action === "add") {
    if (content === null || state.entries.includes(content)) return { ...state, status: "unchanged", message: "This was noted already." };
    return save(state, change.target, [...state.entries, content], "Noted.");
  }
  const matching = state.entries.flatMap((entry, position) => (change.match !== "" && entry.includes(change.match) ? [position] : []));
  const [position] = matching;
  if (position === undefined) return refuse(state, "no_match", "No note contains that text.");
  if (matching.length > 1) return refuse(state, "several_matches", `${matching.length} notes contain that text; give a longer part of one.`);
  const entries = content === null ? state.entries.toSpliced(position, 1) : state.entries.with(position, content);
  return save(state, change.target, entries, content === null ? "Removed." : "Replaced.");
}

/** Making a file that was too long shorter is always allowed. */
function save(before: MemoryState, target: MemoryTarget, entries: readonly string[], message: string): MemoryResult {
  const after = stateOf(target, entries);
  if (after.used > after.limit && after.used >= before.used) {
    return refuse(before, "over_limit", `This would be ${after.used} of ${after.limit} characters. Shorten or remove notes first.`);
  }
  return { ...after, status: "saved", message };
}

function refuse(state: MemoryState, reason: Extract<MemoryResult, { status: "refused" }>["reason"], message: string): MemoryResult {
  return { ...state, status: "refused", reason, message };
}

/** For the system prompt, null when there is nothing; the numbers tell the model how much room is left. */
export async function renderMemory(home: string): Promise<string | null> {
  const blocks: string[] = [];
  for (const target of ["memory", "user"] as const) {
    const { entries, used, limit } = await readMemory(home, target);
    if (entries.length > 0) blocks.push(`${FILES[target].title} (${Math.round((100 * used) / limit)} % full, ${used} of ${limit} characters):\n${entries.join(SEPARATOR)}`);
  }
  return blocks.length === 0 ? null : blocks.join("\n\n");
}

function pathOf(home: string, target: MemoryTarget): string {
  return join(home, "memories", FILES[target].name);
}

function parseEntries(text: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/, "").replace(/\r\n/g, "\n");
  return `\n${lines}\n`.split(SEPARATOR).map((entry) => entry.trim()).filter((entry) => entry !== "");
}

function stateOf(target: MemoryTarget, entries: readonly string[]): MemoryState {
  return { entries, used: [...entries.join(SEPARATOR)].length, limit: FILES[target].limit };
}
