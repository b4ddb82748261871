/**
 * Text that may be endless, kept in bounded memory: its head and a rolling tail. Characters are
 * UTF-16 units; a cut never leaves half of a surrogate pair.
 */
import { stripVTControlCharacters } from "node:util";

export interface Excerpt {
  readonly text: string;
  readonly shown: number;
  readonly total: number;
}

export interface TextExcerpt {
  add(text: string): void;
  /** Characters so far. */
  readonly total: number;
  /** The whole text, or head, `note(shown, total)` on a line of its own, and tail. */
  excerpt(note: (shown: number, total: number) => string): Excerpt;
}

/** The first half of a surrogate pair that lost its second. */
const HALF_AT_END = /[\uD800-\uDBFF]$/;

/** Output of a program as a model reads it: no escape sequences, no control characters but tab and line ends. */
export function plainText(output: string): string {
  return stripVTControlCharacters(output).replace(/(?![\t\n\r])\p{Cc}/gu, "");
}

/** The last `limit` characters at most. */
export function lastCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = text.slice(text.length - limit);
  return /^[\uDC00-\uDFFF]/.test(tail) ? tail.slice(1) : tail;
}

/** The first `limit` characters at most. */
export function firstCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit);
  return head.replace(HALF_AT_END, "");
}

export interface RollingText {
  add(text: string): void;
  /** The last characters, at most the limit. */
  read(): string;
  /** Characters so far. */
  readonly total: number;
}

export function createRollingText(limit: number): RollingText {
  let kept = "";
  let total = 0;
  return {
    get total() {
      return total;
    },
    add(text) {
      total += text.length;
      kept += text;
      // Cut only now and then: cutting at each small piece would copy all of it each time.
      if (kept.length > 2 * limit) kept = kept.slice(-limit);
    },
    read: () => lastCharacters(kept, limit),
  };
}

export function createTextExcerpt(headLimit: number, tailLimit: number): TextExcerpt {
  const tail = createRollingText(tailLimit);
  let head = "";
  return {
    get total() {
      return head.length + tail.total;
    },
    add(text) {
      const toHead = text.slice(0, headLimit - head.length);
      head += toHead;
      tail.add(text.slice(toHead.length));
    },
    excerpt(note) {
      const total = head.length + tail.total;
      if (tail.total <= tailLimit) return { text: head + tail.read(), shown: total, total };
      const first = head.replace(HALF_AT_END, "");
      const shown = first.length + tail.read().length;
      return { text: `${first}\n${note(shown, total)}\n${tail.read()}`, shown, total };
    },
  };
}

/** A text that is there already, cut the same way: 40 % head, 60 % tail of `limit`. */
export function excerptOf(text: string, limit: number, note: (shown: number, total: number) => string): Excerpt {
  const head = Math.floor(limit * 0.4);
  const whole = createTextExcerpt(head, limit - head);
  whole.add(text);
  return whole.excerpt(note);
}
