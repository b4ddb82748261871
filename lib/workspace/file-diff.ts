/**
 * One file's change as git would show it: a header, and a unified diff of its text. Bounded in time,
 * because a diff of two big texts that have nothing in common takes quadratic time: then only the
 * header is left.
 */
import { formatPatch, structuredPatch } from "diff";
import type { z } from "zod";
import type { fileChangeSchema } from "#protocol/event-values";
import { decodeText } from "./read";

export type ChangedFile = Readonly<z.infer<typeof fileChangeSchema>>;

export interface FileDiff {
  readonly file: ChangedFile;
  readonly diff: string;
  /** True when there is more to the change than `diff` shows. */
  readonly cut: boolean;
}

const TIME_LIMIT_MS = 200;

interface TextDiff {
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

/** All lines of a file that came or went as a whole. */
function wholeHunk(text: string, sign: "+" | "-"): { readonly text: string; readonly count: number } {
  if (text === "") return { text: "", count: 0 };
  const closed = text.endsWith("\n");
  const lines = (closed ? text.slice(0, -1) : text).split("\n");
  const range = sign === "+" ? `-0,0 +1,${lines.length}` : `-1,${lines.length} +0,0`;
  const end = closed ? "" : "\\ No newline at end of file\n";
  return { text: `@@ ${range} @@\n${lines.map((line) => `${sign}${line}\n`).join("")}${end}`, count: lines.length };
}

function createdText(path: string, text: string): TextDiff {
  const hunk = wholeHunk(text, "+");
  return { text: hunk.count === 0 ? "" : `--- /dev/null\n+++ b/${path}\n${hunk.text}`, added: hunk.count, removed: 0 };
}

function deletedText(path: string, text: string): TextDiff {
  const hunk = wholeHunk(text, "-");
  return { text: hunk.count === 0 ? "" : `--- a/${path}\n+++ /dev/null\n${hunk.text}`, added: 0, removed: hunk.count };
}

/** Null where it would take too long. */
function changedText(path: string, before: string, after: string): TextDiff | null {
  const patch = structuredPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, { context: 3, timeout: TIME_LIMIT_MS });
  if (patch === undefined) return null;
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { text: formatPatch(patch).replace(/^=+\n/, ""), added: count("+"), removed: count("-") };
}

const MODE_OF: Readonly<Record<ChangedFile["kind"], string>> = { created: "new file mode 100644\n", deleted: "deleted file mode 100644\n", changed: "" };

/** A change whose text is not known, or is not shown. */
export function headerOnly(path: string, kind: ChangedFile["kind"]): FileDiff {
  return { file: { path, kind, added: 0, removed: 0 }, diff: `diff --git a/${path} b/${path}\n${MODE_OF[kind]}`, cut: true };
}

/** `null` for a file that was, or is, not there; not for both. `cut`: `after` is only its beginning. */
export function diffFile(path: string, before: Uint8Array | null, after: Uint8Array | null, cut = false): FileDiff {
  const kind = before === null ? "created" : after === null ? "deleted" : "changed";
  const head = headerOnly(path, kind);
  const [old, now] = [before === null ? "" : decodeText(before, false), after === null ? "" : decodeText(after, cut)];
  if (old === null || now === null) {
    const names = `${before === null ? "/dev/null" : `a/${path}`} and ${after === null ? "/dev/null" : `b/${path}`}`;
    return { ...head, diff: `${head.diff}Binary files ${names} differ\n`, cut: false };
  }
  const text = before === null ? createdText(path, now) : after === null ? deletedText(path, old) : changedText(path, old, now);
  return text === null ? head : { file: { path, kind, added: text.added, removed: text.removed }, diff: head.diff + text.text, cut };
}
