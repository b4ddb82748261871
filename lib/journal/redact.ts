/**
 * J6: what is stored is redacted. Known values (as they are, in base64, percent-encoded) and
 * secret-shaped strings become `[redacted]`, in whole values and in text that comes in pieces.
 *
 * A stream reads each character once. It holds text back only while at least four characters at its
 * end match the start of a secret; fewer have gone out already when the rest arrives, and then the
 * rest alone is replaced. Where a text is cut makes no other difference, and a whole value is a
 * stream of one piece.
 *
 * What leaves is whole text, too: a character that a model sends in two halves is put together, and a
 * half that stays alone becomes U+FFFD. (SQL makes bytes that are no UTF-8 of the escape that JSON has
 * for it, and the database's engine ends the whole process over them.)
 */
import { LiteralAutomaton, type LiteralSearch } from "./literal-automaton";
import { secretForms } from "./secret-forms";
import { ShapeSearch } from "./secret-shapes";

export const REDACTED = "[redacted]";
const HELD_FROM = 4;

export interface StreamRedactor {
  /** What may leave now. */
  push(text: string): string;
  /** What was held back as a secret's start. The stream may go on: the rest of a secret is still known as such. */
  flush(): string;
  /** Everything that was held back. */
  end(): string;
  /** True while something is held back. */
  readonly holds: boolean;
}

export interface Redactor {
  text(value: string): string;
  /** Every string in it, keys too. The same reference when nothing was replaced. */
  json<T>(value: T): { readonly value: T; readonly changed: boolean };
  stream(): StreamRedactor;
}

/** `secrets` is asked each time, so that a key that was added is known from then on. */
export function createRedactor(secrets: () => readonly string[]): Redactor {
  let known: readonly string[] = [];
  let automaton = new LiteralAutomaton([]);
  const current = (): LiteralAutomaton => {
    const values = secrets();
    if (values.length !== known.length || values.some((value, index) => value !== known[index])) {
      known = [...values];
      automaton = new LiteralAutomaton(secretForms(known));
    }
    return automaton;
  };
  const text = (value: string): string => {
    const stream = new Stream(current().search());
    return stream.push(value) + stream.end();
  };
  return { text, json: (value) => redactJson(value, text), stream: () => new Stream(current().search()) };
}

class Stream implements StreamRedactor {
  readonly #literals: LiteralSearch;
  readonly #shapes = new ShapeSearch();
  /** The first half of a character whose second has not come. */
  #half = "";
  /** Text that was read and has not left; it begins at `#base` of all text. */
  #held = "";
  #base = 0;
  /** What is replaced of the held text: places in all text, rising, not overlapping. */
  #secrets: { start: number; end: number }[] = [];
  /** Where the last replaced piece that left ended. */
  #lastEnd = -1;

  constructor(literals: LiteralSearch) {
    this.#literals = literals;
  }

  get holds(): boolean {
    return this.#held !== "";
  }

  push(piece: string): string {
    const text = this.#wholePart(piece);
    const from = this.#base + this.#held.length;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      const end = from + index + 1;
      const length = this.#literals.step(code);
      if (length > 0) this.#mark(end - length, end);
      const start = this.#shapes.step(code);
      if (start !== null) this.#mark(start, end);
    }
    this.#held += text;
    return this.#release(this.#safeEnd());
  }

  flush(): string {
    return this.#release(this.#base + this.#held.length);
  }

  end(): string {
    const half = this.#half;
    this.#half = "";
    return (half === "" ? "" : this.push("\ufffd")) + this.flush();
  }

  #wholePart(piece: string): string {
    const text = this.#half + piece;
    const isCut = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;
    this.#half = isCut ? text.slice(-1) : "";
    return (isCut ? text.slice(0, -1) : text).toWellFormed();
  }

  /** Up to where the text cannot be the beginning of a secret that is long enough to be held. */
  #safeEnd(): number {
    const end = this.#base + this.#held.length;
    const start = Math.min(end - this.#literals.depth, this.#shapes.openStart ?? end);
    return end - start >= HELD_FROM ? Math.max(start, this.#base) : end;
  }

  #mark(start: number, end: number): void {
    let from = start;
    for (let last = this.#secrets.at(-1); last !== undefined && last.end > from; last = this.#secrets.at(-1)) {
      from = Math.min(from, last.start);
      this.#secrets.pop();
    }
    this.#secrets.push({ start: from, end });
  }

  #release(until: number): string {
    let out = "";
    let at = this.#base;
    const later: { start: number; end: number }[] = [];
    for (const secret of this.#secrets) {
      if (secret.start >= until) {
        later.push(secret);
        continue;
      }
      const start = Math.max(secret.start, at);
      out += this.#held.slice(at - this.#base, start - this.#base);
      // The same secret again, grown since: one mark stands for all of it.
      if (secret.start >= this.#lastEnd || at > this.#lastEnd) out += REDACTED;
      at = Math.max(Math.min(secret.end, until), at);
      this.#lastEnd = at;
      if (secret.end > until) later.push(secret);
    }
    out += this.#held.slice(at - this.#base, Math.max(until, at) - this.#base);
    this.#held = this.#held.slice(until - this.#base);
    this.#base = until;
    this.#secrets = later;
    return out;
  }
}

function redactJson<T>(value: T, redact: (text: string) => string): { readonly value: T; readonly changed: boolean } {
  if (!holdsSecret(value, redact)) return { value, changed: false };
  const copy = structuredClone({ value });
  replaceInside(copy, redact);
  return { value: copy.value, changed: true };
}

function holdsSecret(value: unknown, redact: (text: string) => string): boolean {
  const todo: unknown[] = [value];
  for (let next = todo.pop(); todo.length > 0 || next !== undefined; next = todo.pop()) {
    if (typeof next === "string" && redact(next) !== next) return true;
    if (typeof next !== "object" || next === null) continue;
    for (const [key, inner] of Object.entries(next)) todo.push(key, inner);
  }
  return false;
}

function replaceInside(root: object, redact: (text: string) => string): void {
  const todo: object[] = [root];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    for (const [key, value] of Object.entries(next)) {
      const name = Array.isArray(next) ? key : redact(key);
      const replaced: unknown = typeof value === "string" ? redact(value) : value;
      if (name !== key) Reflect.deleteProperty(next, key);
      if (name !== key || replaced !== value) {
        Object.defineProperty(next, name, { value: replaced, writable: true, enumerable: true, configurable: true });
      }
      if (typeof replaced === "object" && replaced !== null) todo.push(replaced);
    }
  }
}
