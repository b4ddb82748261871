/**
 * Changes of a profile's `.env`. The file may be the person's own Hermes Agent's: only the lines of the
 * variables in question change, comments, order and everything else stay. What would be written is
 * read back first; a file in which the change would change more is left alone. The file is the
 * owner's alone (0600) from the first save on.
 */
import { join } from "node:path";
import { parse } from "dotenv";
import { editFile, readText } from "./edit-file";
import { MAX_ENV_BYTES, type ProfileEnv } from "./env-file";

export type EnvEdit = { readonly status: "saved" | "unchanged" } | { readonly status: "refused"; readonly message: string };

const PRIVATE_FILE = 0o600;

/** Sets what is text, takes out what is null, in one save. Throws what `editFile` throws. */
export async function editEnv(home: string, changes: Readonly<Record<string, string | null>>): Promise<EnvEdit> {
  const file = join(home, ".env");
  return editFile<EnvEdit>(
    file,
    async () => {
      const read = await readText(file, MAX_ENV_BYTES);
      if (read.status === "too_large" || read.status === "unreadable") return refuse(`${file} cannot be read.`);
      const text = read.status === "read" ? read.text : "";
      const written = changed(text, changes);
      if (written === null || !saysSo(written, text, changes)) return refuse(`${file} cannot be changed without changing more than was asked.`);
      if (written === text) return { text: null, result: { status: "unchanged" } };
      return { text: written, result: { status: "saved" } };
    },
    PRIVATE_FILE,
  );
}

function refuse(message: string) {
  return { text: null, result: { status: "refused" as const, message } };
}

/** Null when a value cannot be written so that it reads the same. */
function changed(original: string, changes: Readonly<Record<string, string | null>>): string | null {
  const mark = original.startsWith("\uFEFF") ? "\uFEFF" : "";
  const windows = original.includes("\r\n");
  let text = original.slice(mark.length).replaceAll("\r\n", "\n");
  for (const [name, value] of Object.entries(changes)) {
    const written = value === null ? null : quoted(value);
    if (value !== null && written === null) return null;
    text = written === null ? without(text, name) : withValue(text, name, written);
  }
  return mark + (windows ? text.replaceAll("\n", "\r\n") : text);
}

interface Assignment {
  readonly name: string;
  /** The beginning of its line. */
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** The parser's own grammar, with the places in the text. */
const ASSIGNMENT = /^(\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?))(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?$/gm;

function assignments(text: string, name: string): readonly Assignment[] {
  return [...text.matchAll(ASSIGNMENT)].flatMap((match) => {
    const [, before = "", found = "", raw = ""] = match;
    if (found !== name) return [];
    const valueStart = match.index + before.length + (raw.length - raw.trimStart().length);
    // Empty lines before it belong to nobody.
    const start = match.index + (before.length - before.trimStart().length);
    return [{ name: found, start: text.lastIndexOf("\n", start - 1) + 1, valueStart, valueEnd: valueStart + raw.trim().length }];
  });
}

/** The last one counts, so that is the one that changes. */
function withValue(text: string, name: string, written: string): string {
  const last = assignments(text, name).at(-1);
  if (last !== undefined) return text.slice(0, last.valueStart) + written + text.slice(last.valueEnd);
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${text}${gap}${name}=${written}\n`;
}

function without(text: string, name: string): string {
  return assignments(text, name)
    .toReversed()
    .reduce((rest, { start, valueEnd }) => {
      const end = rest.indexOf("\n", valueEnd);
      return rest.slice(0, start) + (end < 0 ? "" : rest.slice(end + 1));
    }, text);
}

function quoted(value: string): string | null {
  const forms = [value, `'${value}'`, `"${value}"`, `\`${value}\``];
  return forms.find((form) => parse(`X=${form}`)["X"] === value) ?? null;
}

/** Exactly what was asked for has changed. */
function saysSo(written: string, original: string, changes: Readonly<Record<string, string | null>>): boolean {
  const wanted = new Map(Object.entries(variables(original)));
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) wanted.delete(name);
    else wanted.set(name, value);
  }
  const found = Object.entries(variables(written));
  return found.length === wanted.size && found.every(([name, value]) => wanted.get(name) === value);
}

function variables(text: string): ProfileEnv {
  return parse(text.replace(/^\uFEFF/, ""));
}
