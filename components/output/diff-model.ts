/**
 * A unified diff as lines to draw. Signs leave the text (they hang in the gutter), file headers are
 * names, hunk headers say where in words. Anything that is not a unified diff is context.
 */
export type DiffLineKind = "context" | "added" | "removed" | "hunk";

export interface DiffLine {
  readonly kind: DiffLineKind;
  /** Without its sign. */
  readonly text: string;
}
export interface DiffFile {
  /** Path after the change, or before it for a removed file; null when the diff names none. */
  readonly path: string | null;
  readonly change: "added" | "removed" | "changed" | "renamed" | "binary";
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

interface OpenFile {
  before: string | null;
  after: string | null;
  change: DiffFile["change"];
  lines: DiffLine[];
  /** Lines still to come by the hunk's own header: inside a hunk `--- x` is a removed line, not a header. */
  oldLeft: number;
  newLeft: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;
const KIND_BY_SIGN: Readonly<Record<string, DiffLineKind>> = { "+": "added", "-": "removed", " ": "context" };
export const SIGN_BY_KIND: Readonly<Record<DiffLineKind, string>> = { added: "+", removed: "−", context: "", hunk: "" };

export function parseDiff(text: string): readonly DiffFile[] {
  const files: OpenFile[] = [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) readLine(line, files);
  return files.map(closed);
}

function readLine(line: string, files: OpenFile[]): void {
  const file = files.at(-1);
  if (file !== undefined && (file.oldLeft > 0 || file.newLeft > 0)) {
    readHunkLine(line, file);
    return;
  }
  if (line.startsWith("diff --git ") || (line.startsWith("--- ") && (file === undefined || file.lines.length > 0))) {
    files.push({ before: null, after: null, change: "changed", lines: [], oldLeft: 0, newLeft: 0 });
  }
  const current = files.at(-1) ?? startUnnamed(files);
  const hunk = HUNK.exec(line);
  if (hunk !== null) openHunk(current, hunk);
  else readHeader(line, current);
}

function startUnnamed(files: OpenFile[]): OpenFile {
  const file: OpenFile = { before: null, after: null, change: "changed", lines: [], oldLeft: 0, newLeft: 0 };
  files.push(file);
  return file;
}

function openHunk(file: OpenFile, hunk: RegExpExecArray): void {
  file.oldLeft = Number(hunk[2] ?? 1);
  file.newLeft = Number(hunk[4] ?? 1);
  const around = (hunk[5] ?? "").trim();
  const where = `line ${hunk[3]}`;
  file.lines.push({ kind: "hunk", text: around === "" ? where : `${around}, ${where}` });
}

function readHunkLine(line: string, file: OpenFile): void {
  if (line.startsWith("\\")) return;
  const kind = KIND_BY_SIGN[line[0] ?? " "] ?? "context";
  if (kind !== "added") file.oldLeft -= 1;
  if (kind !== "removed") file.newLeft -= 1;
  file.lines.push({ kind, text: line.slice(1) });
}

function readHeader(line: string, file: OpenFile): void {
  if (line.startsWith("--- ")) file.before = pathOf(line.slice(4));
  else if (line.startsWith("+++ ")) file.after = pathOf(line.slice(4));
  else if (line.startsWith("rename from ")) file.before = line.slice(12);
  else if (line.startsWith("rename to ")) {
    file.after = line.slice(10);
    file.change = "renamed";
  } else if (line.startsWith("new file")) file.change = "added";
  else if (line.startsWith("deleted file")) file.change = "removed";
  else if (line.startsWith("Binary files ")) file.change = "binary";
  else if (line.startsWith("diff --git ")) file.after = /^diff --git a\/.* b\/(.*)$/.exec(line)?.[1] ?? null;
  else if (!/^(index |old mode|new mode|similarity |Index: |=+$|\\)/.test(line)) file.lines.push({ kind: "context", text: line });
}

/** "a/src/x.ts\t2026-…" as "src/x.ts"; null for /dev/null. */
function pathOf(text: string): string | null {
  const path = text.split("\t")[0] ?? "";
  if (path === "/dev/null") return null;
  return path.replace(/^[ab]\//, "");
}

function closed(file: OpenFile): DiffFile {
  const change = file.change !== "changed" ? file.change : changeByPaths(file);
  return {
    path: file.after ?? file.before,
    change,
    lines: file.lines,
    added: file.lines.filter((line) => line.kind === "added").length,
    removed: file.lines.filter((line) => line.kind === "removed").length,
  };
}

function changeByPaths(file: OpenFile): DiffFile["change"] {
  if (file.before === null && file.after !== null && file.lines.every((line) => line.kind !== "removed" && line.kind !== "context")) return "added";
  if (file.after === null && file.before !== null) return "removed";
  return "changed";
}
