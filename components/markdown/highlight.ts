/**
 * Code as lines of coloured pieces, line by line with the state that crosses lines (an open comment
 * or string). A highlighter remembers its lines: while an answer streams in, only the last line is
 * read again, and unchanged lines keep their identity so that React leaves them alone.
 */
import { type Grammar, grammarOf } from "./code-grammars";

export interface CodePiece {
  readonly text: string;
  readonly style: "" | "tk-k" | "tk-s" | "tk-n" | "tk-c" | "a-1" | "a-2";
}
export type CodeLine = readonly CodePiece[];
type Style = CodePiece["style"];

/** What is still open at a line's end: its closing text and its colour. */
interface Open {
  readonly close: string;
  readonly style: Style;
}
interface Remembered {
  readonly source: string;
  readonly before: Open | null;
  readonly line: CodeLine;
  readonly after: Open | null;
}

export type HighlightCode = (code: string) => readonly CodeLine[];

export function createHighlighter(language: string): HighlightCode {
  const grammar = grammarOf(language);
  const isDiff = language === "diff" || language === "patch";
  let remembered: readonly Remembered[] = [];
  return (code) => {
    let open: Open | null = null;
    const next: Remembered[] = [];
    for (const [index, source] of code.split("\n").entries()) {
      const known: Remembered | undefined = remembered[index];
      const same = known !== undefined && known.source === source && sameOpen(known.before, open);
      const entry: Remembered = same ? known : readLine(source, open, grammar, isDiff);
      next.push(entry);
      open = entry.after;
    }
    remembered = next;
    return next.map((entry) => entry.line);
  };
}

function sameOpen(one: Open | null, other: Open | null): boolean {
  return one === other || (one !== null && other !== null && one.close === other.close && one.style === other.style);
}

function readLine(source: string, before: Open | null, grammar: Grammar | null, isDiff: boolean): Remembered {
  if (isDiff) return { source, before, line: plainLine(source, diffStyle(source)), after: null };
  if (grammar === null) return { source, before, line: plainLine(source, ""), after: null };
  const pieces: CodePiece[] = [];
  const put = (text: string, style: Style): void => {
    if (text === "") return;
    const last = pieces.at(-1);
    if (last?.style === style) pieces[pieces.length - 1] = { text: last.text + text, style };
    else pieces.push({ text, style });
  };
  let open = before;
  let at = 0;
  while (at < source.length) {
    if (open !== null) {
      const end = closingIndex(source, at, open.close);
      put(source.slice(at, end), open.style);
      if (end === source.length && !source.slice(at).endsWith(open.close)) return { source, before, line: pieces, after: open };
      at = end;
      open = null;
      continue;
    }
    const token = readToken(source, at, grammar);
    put(token.text, token.style);
    at += token.text.length;
    open = token.opens;
  }
  return { source, before, line: pieces, after: open };
}

function plainLine(source: string, style: Style): CodeLine {
  return source === "" ? [] : [{ text: source, style }];
}

function diffStyle(source: string): Style {
  if (source.startsWith("+")) return "a-2";
  if (source.startsWith("-")) return "a-1";
  return source.startsWith("@@") ? "tk-c" : "";
}

/** Where the open string or comment ends in this line (after its close), or the line's length. */
function closingIndex(source: string, from: number, close: string): number {
  for (let index = from; index < source.length; index += 1) {
    if (source[index] === "\\" && close.length === 1) index += 1;
    else if (source.startsWith(close, index)) return index + close.length;
  }
  return source.length;
}

interface Token {
  readonly text: string;
  readonly style: Style;
  readonly opens: Open | null;
}

const WORD = /[@!]?[\p{L}_$][\p{L}\p{N}_$]*[!?]?/uy;
const NUMBER = /\b(?:0[xbo][0-9a-f_]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)[a-z%]{0,4}/iy;
const TAG = /<\/?[a-zA-Z][\w:.-]*|\/?>/y;
const KEY = /[\w$.@/-]+(?=\s*[:=](?!\/))|--[\w-]+/y;

function readToken(source: string, at: number, grammar: Grammar): Token {
  for (const [start, close] of grammar.blockComments) {
    if (source.startsWith(start, at)) return { text: start, style: "tk-c", opens: { close, style: "tk-c" } };
  }
  if (grammar.lineComments.some((start) => source.startsWith(start, at)) && isCommentStart(source, at, grammar)) {
    return { text: source.slice(at), style: "tk-c", opens: null };
  }
  for (const quote of grammar.longStrings) {
    if (source.startsWith(quote, at)) return { text: quote, style: "tk-s", opens: { close: quote, style: "tk-s" } };
  }
  const quote = grammar.strings.find((mark) => source.startsWith(mark, at));
  if (quote !== undefined) {
    const text = source.slice(at, closingIndex(source, at + 1, quote));
    const isKey = grammar.names === "keys" && /^\s*:/.test(source.slice(at + text.length));
    return { text, style: isKey ? "tk-n" : "tk-s", opens: null };
  }
  return readWord(source, at, grammar);
}

function readWord(source: string, at: number, grammar: Grammar): Token {
  const tag = grammar.names === "tags" ? matchAt(TAG, source, at) : null;
  if (tag !== null) return { text: tag, style: "tk-k", opens: null };
  const key = grammar.names === "keys" || grammar.names === "tags" ? matchAt(KEY, source, at) : null;
  if (key !== null) return { text: key, style: "tk-n", opens: null };
  const word = matchAt(WORD, source, at);
  if (word !== null) return { text: word, style: wordStyle(source, at, word, grammar), opens: null };
  const number = matchAt(NUMBER, source, at);
  if (number !== null) return { text: number, style: grammar.names === "tags" ? "" : "tk-s", opens: null };
  if (source.startsWith("=>", at) && grammar.names === "calls") return { text: "=>", style: "tk-k", opens: null };
  return { text: source[at] ?? "", style: "", opens: null };
}

function matchAt(pattern: RegExp, source: string, at: number): string | null {
  pattern.lastIndex = at;
  const match = pattern.exec(source);
  return match === null ? null : match[0];
}

function wordStyle(source: string, at: number, word: string, grammar: Grammar): Style {
  if (grammar.keywords.has(grammar.ignoreCase ? word.toLowerCase() : word)) return "tk-k";
  if (grammar.names === "calls") return source[at + word.length] === "(" ? "tk-n" : "";
  if (grammar.names === "commands") return /(?:^|[|&;(]|\$ )\s*$/.test(source.slice(0, at)) ? "tk-n" : "";
  return "";
}

/** `#` and `;` begin a comment only at a word's start: `a#b` and `$#` are none. */
function isCommentStart(source: string, at: number, grammar: Grammar): boolean {
  if (grammar.lineComments.includes("//")) return source[at - 1] !== ":";
  return at === 0 || /\s/.test(source[at - 1] ?? "");
}
