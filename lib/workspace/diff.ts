/**
 * What differs in the workspace from its last commit, new files included; null where it is no git
 * repository (or there is no git). Paths are those below the workspace, also when the repository
 * begins above it.
 */
import { AppError } from "#protocol/errors";
import { contain } from "./contain";
import { createGit, type Git, type GitAnswer, type GitOptions } from "./git";
import { readFileView } from "./read";

interface ChangedFile {
  readonly path: string;
  readonly kind: "created" | "changed" | "deleted";
  readonly added: number;
  readonly removed: number;
}

export interface WorkspaceDiff {
  readonly kind: "git";
  /** Unified diff, `a/` and `b/` prefixes. */
  readonly diff: string;
  readonly files: readonly ChangedFile[];
  /** True when there is more than `diff` shows. */
  readonly truncated: boolean;
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

interface NewFile {
  readonly file: ChangedFile;
  readonly diff: string;
  readonly cut: boolean;
}

async function newFile(workspace: string, path: string): Promise<NewFile | null> {
  try {
    const view = await readFileView(workspace, path, MAX_NEW_FILE_BYTES);
    const head = `diff --git a/${path} b/${path}\nnew file mode 100644\n`;
    if (view.encoding === "base64") return { file: { path, kind: "created", added: 0, removed: 0 }, diff: `${head}Binary files /dev/null and b/${path} differ\n`, cut: false };
    const closed = view.content.endsWith("\n");
    const lines = view.content === "" ? [] : (closed ? view.content.slice(0, -1) : view.content).split("\n");
    const hunk = lines.length === 0 ? "" : `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`;
    const end = closed || lines.length === 0 ? "" : "\\ No newline at end of file\n";
    return { file: { path, kind: "created", added: lines.length, removed: 0 }, diff: head + hunk + end, cut: view.truncated };
  } catch (error) {
    // It vanished, leads outside, or is no file: it has no text to show.
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Errors: `not_found` (no such workspace). */
export async function diffWorkspace(workspace: string, options: GitOptions): Promise<WorkspaceDiff | null> {
  const { root } = await contain(workspace, "");
  const git = createGit(root, options);
  const inside = await git(["rev-parse", "--is-inside-work-tree"]);
  const base = inside.text.trim() === "true" ? await baseOf(git) : null;
  if (base === null) return null;
  const [changes, files, untracked] = await Promise.all([
    git([...DIFF, base, "--", "."]),
    trackedFiles(git, base),
    git(["ls-files", "--others", "--exclude-standard", "-z", "--", "."]),
  ]);
  const paths = fieldsOf(untracked);
  const made: NewFile[] = [];
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
