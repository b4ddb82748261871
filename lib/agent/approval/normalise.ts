/**
 * One spelling for what a shell, or an eye, reads as the same: lookalike letters, characters that are
 * not drawn, `$IFS` in place of a space, `$'\x72'` strings, echo's escapes, the ways to name the home
 * folder. Pure. The result is only ever judged, never run and never shown.
 */
import { isInsideEmoji } from "./visible";

/** Letters and signs of other scripts that are drawn like an ASCII one and that NFKC leaves alone. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  а: "a", с: "c", ԁ: "d", е: "e", һ: "h", і: "i", ј: "j", к: "k", м: "m", о: "o", р: "p", ԛ: "q",
  г: "r", ѕ: "s", т: "t", ѵ: "v", ԝ: "w", х: "x", у: "y", ո: "n", ս: "u", ց: "g", ɡ: "g", ı: "i",
  α: "a", ε: "e", ι: "i", κ: "k", ν: "v", ο: "o", ρ: "p", τ: "t", υ: "u", χ: "x", η: "n",
  А: "A", В: "B", Е: "E", К: "K", М: "M", Н: "H", О: "O", Р: "P", С: "C", Т: "T", Х: "X", І: "I",
  Α: "A", Β: "B", Ε: "E", Η: "H", Ι: "I", Κ: "K", Μ: "M", Ν: "N", Ο: "O", Ρ: "P", Τ: "T", Χ: "X",
  "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "﹣": "-", "∕": "/", "⁄": "/", "⧸": "/",
  "∣": "|", "ǀ": "|", "∗": "*", "⁎": "*", "∼": "~", "˜": "~", "‘": "'", "’": "'", "“": '"', "”": '"',
};

/** Not drawn, or moves what is drawn. Tab and newline are ordinary. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const JOINERS = new Set(["\u{200C}", "\u{200D}"]);

/** Whether the text holds a character that a reader cannot see. Emoji and joined scripts are honest. */
export function hasHiddenCharacters(text: string): boolean {
  return [...text.matchAll(HIDDEN)].some((match) => isHidden(text, match[0], match.index));
}

/** The text without hidden characters, and with ASCII in place of what only looks like it. */
export function foldLookalikes(text: string): string {
  const seen = text.replace(HIDDEN, (character, offset: number) => (isHidden(text, character, offset) ? "" : character));
  return [...seen.normalize("NFKC").replace(/\p{Zs}/gu, " ")].map((letter) => LOOKALIKES[letter] ?? letter).join("");
}

function isHidden(text: string, character: string, offset: number): boolean {
  if (character === "\n" || character === "\t" || isInsideEmoji(text, character, offset)) return false;
  const betweenForeignLetters = JOINERS.has(character) && isForeign(text[offset - 1]) && isForeign(text[offset + 1]);
  return !betweenForeignLetters;
}

function isForeign(letter: string | undefined): boolean {
  return letter !== undefined && letter > "\u02FF" && /[\p{L}\p{M}]/u.test(letter);
}

/** A line that ends in a backslash goes on in the next one. */
export function joinContinuedLines(text: string): string {
  return text.replace(/\\\r?\n/g, "");
}

/**
 * `$IFS` as the space it is, and `$@`, `$1` … as the nothing they are at the top of a command. Where
 * a quote makes this wrong the parsed original is right: both are judged.
 */
export function foldFillers(text: string): string {
  return text
    .replace(/\$IFS(?:\$9)?(?!\w)|\$\{IFS[^}\s]*\}(?:\$9)?/g, " ")
    .replace(/\$[@*1-9]|\$\{[@*1-9]\}/g, "");
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07", b: "\b", e: "\x1B", E: "\x1B", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v",
};
const ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|c(.)|([\s\S]))/g;

/** What `$'…'`, `echo -e` and `printf` make of backslash escapes. */
export function decodeEscapes(text: string): string {
  return text.replace(ESCAPE, (_whole, hex, short, long, octal, control, other) => {
    const digits: string | undefined = hex ?? short ?? long;
    if (digits !== undefined) return codePointText(Number.parseInt(digits, 16));
    if (octal !== undefined) return codePointText(Number.parseInt(String(octal), 8));
    if (control !== undefined) return codePointText(String(control).charCodeAt(0) & 0x1f);
    return SIMPLE_ESCAPES[String(other)] ?? String(other);
  });
}

function codePointText(value: number): string {
  return value <= 0x10ffff ? String.fromCodePoint(value) : "";
}

/** `~`, `~/x` and `~+` as absolute paths; `~name` as that person's folder beside ours. */
export function expandHome(path: string, home: string, workingFolder: string | null): string {
  const match = /^~([^/]*)(\/[\s\S]*)?$/.exec(path);
  if (match === null) return path;
  const [, name = "", rest = ""] = match;
  if (name === "") return home + rest;
  if (name === "+" || name === "-") return (workingFolder ?? "") + rest;
  if (name === "root") return `/root${rest}`;
  return `${home.startsWith("/Users/") ? "/Users" : "/home"}/${name}${rest}`;
}
