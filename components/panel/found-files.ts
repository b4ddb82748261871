/** What a search in the workspace found, for the panel: files with their lines, and names. Pure. */
import { countOf } from "../words/count-words";

export interface FoundPlace {
  readonly path: string;
  readonly type: string;
  /** From 1; null: the name matches. */
  readonly line: number | null;
  readonly text: string;
}

export interface FoundFile {
  readonly path: string;
  readonly isFolder: boolean;
  /** The places in it, in their order; empty where only its name matches. */
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

/** Names first: whoever types a file's name wants the file. Each file once. */
export function foundFiles(places: readonly FoundPlace[]): readonly FoundFile[] {
  const named = places.filter((place) => place.line === null);
  const paths = [...new Set([...named, ...places].map((place) => place.path))];
  return paths.map((path) => {
    const own = places.filter((place) => place.path === path);
    return { path, isFolder: own.some((place) => place.type === "dir"), lines: own.flatMap(({ line, text }) => (line === null ? [] : [{ line, text: text.trim() }])) };
  });
}

export function foundWords(files: readonly FoundFile[], truncated: boolean): string {
  if (files.length === 0) return truncated ? "Nothing found in what could be looked at" : "Nothing found";
  const lines = files.reduce((sum, file) => sum + file.lines.length, 0);
  const inFiles = files.filter((file) => file.lines.length > 0).length;
  const names = files.filter((file) => file.lines.length === 0).length;
  const parts = [lines === 0 ? "" : `${countOf(lines, "line")} in ${countOf(inFiles, "file")}`, names === 0 ? "" : countOf(names, "name")];
  return `${parts.filter((part) => part !== "").join(", ")}${truncated ? ", and there is more" : ""}`;
}

/** The words before, in and after the first match, case ignored; null where it is not in the shown text. */
export function splitAtMatch(text: string, words: string): readonly [string, string, string] | null {
  const wanted = words.trim().toLowerCase();
  const at = wanted === "" ? -1 : text.toLowerCase().indexOf(wanted);
  return at < 0 ? null : [text.slice(0, at), text.slice(at, at + wanted.length), text.slice(at + wanted.length)];
}
