/**
 * What a change of a file looks like: a unified diff and how many lines came and went. Bounded in
 * time, because a diff of two big texts that have nothing in common takes quadratic time: then the
 * lines are counted and the diff is left out.
 */
import { formatPatch, structuredPatch } from "diff";
import { firstCharacters } from "./text-excerpt";

export interface FileDiff {
  /** "" where it would have taken too long. */
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
}

const TIME_LIMIT_MS = 200;
const DIFF_CHARACTERS = 50_000;

export function linesOf(text: string): number {
  if (text === "") return 0;
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** `before`: null for a file that was not there. Texts may be lossy readings of bytes. */
export function diffTexts(path: string, before: string | null, after: string): FileDiff {
  const names = [before === null ? "/dev/null" : `a/${path}`, `b/${path}`] as const;
  const patch = structuredPatch(...names, before ?? "", after, undefined, undefined, { context: 3, timeout: TIME_LIMIT_MS });
  if (patch === undefined) return { diff: "", added: linesOf(after), removed: linesOf(before ?? "") };
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  const text = formatPatch(patch).replace(/^=+\n/, "");
  const cut = firstCharacters(text, DIFF_CHARACTERS);
  return { diff: cut === text ? text : `${cut}\n… the diff goes on`, added: count("+"), removed: count("-") };
}

/** The fact for people: `+2 −1`. */
export function countsOf({ added, removed }: Pick<FileDiff, "added" | "removed">): string {
  return `+${added} −${removed}`;
}
