/**
 * What differs in the workspace from its last commit, new files included; where it is no git
 * repository (or there is no git), from the checkpoint of the session's latest run that changed it.
 * Paths are those below the workspace, also when the repository begins above it.
 */
import { AppError } from "#protocol/errors";
import type { WorkspaceDiff } from "#protocol/file-shapes";
import type { SessionId } from "#protocol/ids";
import { changesSinceCheckpoint } from "./checkpoint-diff";
import { contain } from "./contain";
import { type ChangedFile, diffFile, type FileDiff } from "./file-diff";
import { createGit, type Git, type GitAnswer, type GitOptions } from "./git";
import { openFile, readStart } from "./read";

export interface DiffOptions extends GitOptions {
  /** Whose checkpoint counts where there is no git; `state_dir` is `$STATE_DIR`. */
  readonly checkpoint?: { readonly state_dir: string; readonly session_id: SessionId };
}

const MAX_NEW_FILES = 100;
const MAX_NEW_FILE_BYTES = 256 * 1024;
const MAX_DIFF_LENGTH = 1024 * 1024;

const DIFF = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=dirty", "--relative"];

/** The last commit, or the empty tree where there is none yet. */
async function baseOf(git: Git): Promise<string | null> {
  const head = await git(["rev-parse", "--verify", "--quiet", "HEAD"]);
  if (head.ok) return head.text.trim();
  const tree = await git(["hash-object", "-t", "tree", "/dev/null"]);
  return tree.ok ? tree.text.trim() : null;
}

function fieldsOf(answer: GitAnswer): readonly string[] {
  return answer.ok ? answer.text.split("\0").filter((field) => field !== "") : [];
}

async function trackedFiles(git: Git, base: string): Promise<readonly ChangedFile[]> {
  const [counts, names] = await Promise.all([git([...DIFF, "--numstat", "-z", base, "--", "."]), git([...DIFF, "--name-status", "-z", base, "--", "."])]);
  const letters = new Map<string, string>();
  const fields = fieldsOf(names);
  for (let index = 0; index + 1 < fields.length; index += 2) letters.set(fields[index + 1] ?? "", fields[index] ?? "");
  return fieldsOf(counts).flatMap((field) => {
    const found = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(field);
    if (found === null) return [];
    const path = found[3] ?? "";
    const letter = letters.get(path) ?? "M";
    const kind = letter === "A" ? "created" : letter === "D" ? "deleted" : "changed";
    // `-` stands for a binary file, which has no lines.
    return [{ path, kind, added: Number(found[1]) || 0, removed: Number(found[2]) || 0 } as const];
  });
}

async function newFile(workspace: string, path: string): Promise<FileDiff | null> {
  try {
    const { handle, entry } = await openFile(workspace, path);
    try {
      return diffFile(path, null, await readStart(handle, Math.min(entry.size, MAX_NEW_FILE_BYTES)), entry.size > MAX_NEW_FILE_BYTES);
    } finally {
      await handle.close();
    }
  } catch (error) {
    // It vanished, leads outside, or is no file: it has no text to show.
    if (error instanceof AppError) return null;
    throw error;
  }
}

async function diffCheckpoint(root: string, options: DiffOptions): Promise<WorkspaceDiff | null> {
  const { checkpoint } = options;
  const since = checkpoint === undefined ? null : await changesSinceCheckpoint(checkpoint.state_dir, checkpoint.session_id, root, options.signal);
  if (since === null) return null;
  const whole = since.changes.map((change) => change.diff).join("");
  return {
    kind: "checkpoint",
    diff: whole.slice(0, MAX_DIFF_LENGTH),
    files: since.changes.map(({ file }) => file),
    truncated: !since.complete || since.changes.some(({ cut }) => cut) || whole.length > MAX_DIFF_LENGTH,
  };
}

/** Null where there is neither. Errors: `not_found` (no such workspace). */
export async function diffWorkspace(workspace: string, options: DiffOptions): Promise<WorkspaceDiff | null> {
  const { root } = await contain(workspace, "");
  const git = createGit(root, options);
  const inside = await git(["rev-parse", "--is-inside-work-tree"]);
  const base = inside.text.trim() === "true" ? await baseOf(git) : null;
  if (base === null) return diffCheckpoint(root, options);
  const [changes, files, untracked] = await Promise.all([
    git([...DIFF, base, "--", "."]),
    trackedFiles(git, base),
    git(["ls-files", "--others", "--exclude-standard", "-z", "--", "."]),
  ]);
  const paths = fieldsOf(untracked);
  const made: FileDiff[] = [];
  for (const path of paths.slice(0, MAX_NEW_FILES)) {
    const found = await newFile(root, path);
    if (found !== null) made.push(found);
  }
  const whole = changes.text + made.map((file) => file.diff).join("");
  return {
    kind: "git",
    diff: whole.slice(0, MAX_DIFF_LENGTH),
    files: [...files, ...made.map(({ file }) => file)],
    truncated: changes.cut || untracked.cut || paths.length > MAX_NEW_FILES || made.some(({ cut }) => cut) || whole.length > MAX_DIFF_LENGTH,
  };
}
