/**
 * A profile's `config.yaml`. It may be the person's own Hermes Agent's: an edit touches only the keys
 * that it is about and keeps comments, order and everything unknown. Reading never throws for what is
 * in the file: whatever is wrong with it becomes a warning that names the file and the place, and the
 * rest counts as absent. A file with such a fault is never edited.
 */
import { join } from "node:path";
import { type Document, isMap, parseDocument, type YAMLError } from "yaml";
import { editFile, readText } from "./edit-file";

export interface ConfigWarning {
  readonly code: "empty" | "not_a_map" | "duplicate_key" | "tab_indentation" | "syntax" | "byte_order_mark" | "too_large" | "unreadable" | "wrong_type";
  /** Absolute path. */
  readonly file: string;
  readonly key: string | null;
  /** One sentence that is safe to show. */
  readonly message: string;
}

export interface ConfigRead {
  readonly config: Readonly<Record<string, unknown>>;
  readonly warnings: readonly ConfigWarning[];
}

export type ConfigEdit = { readonly status: "saved" | "unchanged" } | { readonly status: "refused"; readonly warning: ConfigWarning };

const MAX_BYTES = 1024 * 1024;

interface Loaded {
  /** Null when the file cannot be used at all. */
  readonly document: Document | null;
  /** Without the byte order mark; empty when there is no file. */
  readonly text: string;
  readonly warnings: readonly ConfigWarning[];
}

function configPath(home: string): string {
  return join(home, "config.yaml");
}

export async function readConfig(home: string): Promise<ConfigRead> {
  const file = configPath(home);
  const { document, warnings } = await load(file);
  if (document === null) return { config: {}, warnings };
  try {
    const config: unknown = document.toJS({ maxAliasCount: 100 });
    return { config: isRecord(config) ? config : {}, warnings };
  } catch {
    return { config: {}, warnings: [...warnings, warning("syntax", file, null, "has aliases that cannot be followed")] };
  }
}

/** Changes the parsed file and saves it; `change` answers false when there is nothing to change. */
export async function editConfig(home: string, change: (document: Document) => boolean | ConfigWarning): Promise<ConfigEdit> {
  const file = configPath(home);
  return editFile<ConfigEdit>(file, async () => {
    const { document, text, warnings } = await load(file);
    const blocking = warnings.find((candidate) => candidate.code !== "empty" && candidate.code !== "byte_order_mark");
    if (document === null || blocking !== undefined) {
      return { text: null, result: { status: "refused", warning: blocking ?? warning("unreadable", file, null, "cannot be read") } };
    }
    if (!isMap(document.contents)) document.contents = document.createNode({});
    const outcome = change(document);
    if (typeof outcome !== "boolean") return { text: null, result: { status: "refused", warning: outcome } };
    if (!outcome) return { text: null, result: { status: "unchanged" } };
    const written = writtenLike(text, document);
    if (!saysTheSame(written, document)) return { text: null, result: { status: "refused", warning: warning("syntax", file, null, "cannot be changed without changing more than was asked") } };
    return { text: written, result: { status: "saved" } };
  });
}

/** The file is a person's own: what is about to replace it is read back first. */
function saysTheSame(written: string, document: Document): boolean {
  const again = parseDocument(written);
  return again.errors.length === 0 && JSON.stringify(again.toJS()) === JSON.stringify(document.toJS());
}

/** In the manner of the file: its indent, its lists, its line ends. */
function writtenLike(text: string, document: Document): string {
  const indentSeq = !/^\S[^\n]*:[ \t]*\r?\n- /m.test(text);
  const indent = indentSeq ? (/^( {2,8})\S/m.exec(text.replace(/^ *#.*$/gm, ""))?.[1]?.length ?? 2) : 2;
  const written = document.toString({ lineWidth: 0, indent, indentSeq, flowCollectionPadding: /[[{] \S/.test(text) });
  return text.includes("\r\n") ? written.replace(/\r?\n/g, "\r\n") : written;
}

export function wrongType(home: string, key: string, expected: string): ConfigWarning {
  return warning("wrong_type", configPath(home), key, `has a "${key}" that is not ${expected}`);
}

async function load(file: string): Promise<Loaded> {
  const read = await readText(file, MAX_BYTES);
  if (read.status === "missing") return { document: parseDocument(""), text: "", warnings: [] };
  if (read.status === "too_large") return unusable(warning("too_large", file, null, `is larger than ${MAX_BYTES} bytes`));
  if (read.status === "unreadable") return unusable(warning("unreadable", file, null, `cannot be read (${read.reason})`));
  const marked = read.text.startsWith("\uFEFF");
  const warnings = marked ? [warning("byte_order_mark", file, null, "begins with a byte order mark")] : [];
  const text = marked ? read.text.slice(1) : read.text;
  const { document, faults } = parse(text, file);
  return { document, text, warnings: [...warnings, ...faults] };
}

function parse(text: string, file: string): { readonly document: Document | null; readonly faults: readonly ConfigWarning[] } {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error?.code === "DUPLICATE_KEY") {
    // As PyYAML reads it: the last one wins.
    const lenient = parseDocument(text, { uniqueKeys: false });
    const fault = warning("duplicate_key", file, keyAt(text, error), `has a key twice in line ${lineOf(text, error)}`);
    return { document: lenient.errors.length === 0 ? lenient : null, faults: [fault] };
  }
  if (error !== undefined) return { document: null, faults: [syntaxWarning(text, file, error)] };
  if (document.contents === null || isNothing(document)) return { document, faults: [warning("empty", file, null, "is empty")] };
  if (!isMap(document.contents)) return { document: null, faults: [warning("not_a_map", file, null, "holds a list or a value where keys are expected")] };
  return { document, faults: [] };
}

function syntaxWarning(text: string, file: string, error: YAMLError): ConfigWarning {
  const isTab = error.code === "TAB_AS_INDENT" || /^[ ]*\t/.test(text.split("\n")[lineOf(text, error) - 1] ?? "");
  return isTab
    ? warning("tab_indentation", file, null, `is indented with a tab in line ${lineOf(text, error)}`)
    : warning("syntax", file, null, `cannot be read from line ${lineOf(text, error)} on`);
}

function isNothing(document: Document): boolean {
  return !isMap(document.contents) && document.toJS() === null;
}

function unusable(fault: ConfigWarning): Loaded {
  return { document: null, text: "", warnings: [fault] };
}

function lineOf(text: string, error: YAMLError): number {
  return text.slice(0, error.pos[0]).split("\n").length;
}

function keyAt(text: string, error: YAMLError): string | null {
  return /^[\w.-]+/.exec(text.slice(error.pos[0]))?.[0] ?? null;
}

function warning(code: ConfigWarning["code"], file: string, key: string | null, what: string): ConfigWarning {
  return { code, file, key, message: `${file} ${what}.` };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
