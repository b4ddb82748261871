/**
 * W6 A pattern can't hold the process. A regular expression of a model or a person may take ages
 * (`(a+)+$`) and JavaScript can't interrupt one, except in a context run with a time limit: each
 * file is scanned in one such run. The context holds no object of ours, only strings go in and out.
 */
import { createContext, runInContext } from "node:vm";
import { z } from "zod";

interface FoundLine {
  /** From 1. */
  readonly line: number;
  /** The line, cut to a window around the match when it is long. */
  readonly text: string;
}

type ScanResult = { readonly kind: "lines"; readonly lines: readonly FoundLine[] } | { readonly kind: "too_slow" };

export interface PatternScan {
  /** The first `limit` lines of `text` that match. */
  scan(text: string, limit: number): ScanResult;
}

export type PatternResult = { readonly kind: "pattern"; readonly pattern: PatternScan } | { readonly kind: "invalid"; readonly message: string };

const TIME_LIMIT_MS = 200;
const LINE_WINDOW = 300;

/** Source of the scan as it runs in the context; `expression`, `text`, `limit` and `size` are its globals. */
const SCAN = `(() => {
  const found = [];
  for (let start = 0, line = 1; start <= text.length && found.length < limit; line += 1) {
    const newline = text.indexOf("\\n", start);
    const end = newline === -1 ? text.length : newline;
    const whole = text.slice(start, text[end - 1] === "\\r" ? end - 1 : end);
    const match = newline === -1 && start === text.length && line > 1 ? null : expression.exec(whole);
    if (match !== null) {
      const from = Math.max(0, Math.min(match.index - 60, whole.length - size));
      found.push({ line, text: whole.slice(from, from + size) });
    }
    start = end + 1;
  }
  return JSON.stringify(found);
})()`;

const foundLines = z.array(z.object({ line: z.number(), text: z.string() }));

/** Errors of the context are of its own realm, so `instanceof` does not know them. */
function isTimeout(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

function messageOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error ? String(error.message) : "It can't be read.";
}

/** A JavaScript regular expression; a leading `(?i)` ignores case. */
export function createPatternScan(source: string): PatternResult {
  const ignoresCase = source.startsWith("(?i)");
  const globals: Record<string, string | number> = { source: ignoresCase ? source.slice(4) : source, flags: ignoresCase ? "i" : "", size: LINE_WINDOW };
  const context = createContext(globals, { codeGeneration: { strings: false, wasm: false } });
  try {
    runInContext("var expression = new RegExp(source, flags)", context, { timeout: TIME_LIMIT_MS });
  } catch (error) {
    return { kind: "invalid", message: messageOf(error) };
  }
  const scan = (text: string, limit: number): ScanResult => {
    globals["text"] = text;
    globals["limit"] = limit;
    try {
      const answer: unknown = runInContext(SCAN, context, { timeout: TIME_LIMIT_MS });
      return { kind: "lines", lines: foundLines.parse(JSON.parse(String(answer))) };
    } catch (error) {
      if (isTimeout(error)) return { kind: "too_slow" };
      throw error;
    }
  };
  return { kind: "pattern", pattern: { scan } };
}

/** The text itself, case ignored. */
export function createTextScan(text: string): PatternResult {
  return createPatternScan(`(?i)${text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")}`);
}
