/**
 * Command-line options the way getopt reads them: bundled letters (`-xvf`), values attached or in the
 * next word, long names that may be shortened, options after operands, `--`. Which letters take a
 * value is told by the caller; guessing is what lets a flag hide behind another.
 */
import { UNKNOWN, UNSET } from "./shell-scope";
import type { ShellWord } from "./shell-word";

export interface OptionSyntax {
  /** Letters that take a value: `"C"` for git. */
  readonly valued?: string;
  /** Long names, without dashes, that take a value as the next word. */
  readonly longValued?: readonly string[];
  /** Stop at the first operand, as wrappers such as `sudo` do. */
  readonly untilOperand?: boolean;
  /** Words such as `-name` are one option, as `find` and `java` have it. */
  readonly singleDashLong?: boolean;
}

export interface ReadOption {
  /** One letter, or the long name. */
  readonly name: string;
  readonly value: ShellWord | null;
}

export interface ReadOptions {
  readonly options: readonly ReadOption[];
  readonly operands: readonly ShellWord[];
  /** With `untilOperand`: the first operand and all that follows, untouched. */
  readonly rest: readonly ShellWord[];
}

export function readOptions(words: readonly ShellWord[], syntax: OptionSyntax = {}): ReadOptions {
  const options: ReadOption[] = [];
  const operands: ShellWord[] = [];
  let position = 0;
  while (position < words.length) {
    const word = words[position];
    if (word === undefined) break;
    const text = visibleText(word);
    const next = words[position + 1] ?? null;
    if (text === "--") {
      const after = words.slice(position + 1);
      return { options, operands: [...operands, ...after], rest: after };
    }
    if (!text.startsWith("-") || text === "-") {
      if (syntax.untilOperand === true) return { options, operands: words.slice(position), rest: words.slice(position) };
      operands.push(word);
      position += 1;
      continue;
    }
    const { read, tookNext } = text.startsWith("--") ? readLong(text.slice(2), word, next, syntax) : readShort(text.slice(1), word, next, syntax);
    options.push(...read);
    position += tookNext ? 2 : 1;
  }
  return { options, operands, rest: [] };
}

interface OneWord {
  readonly read: readonly ReadOption[];
  readonly tookNext: boolean;
}

function readLong(text: string, word: ShellWord, next: ShellWord | null, syntax: OptionSyntax): OneWord {
  const border = text.indexOf("=");
  if (border !== -1) return { read: [{ name: text.slice(0, border), value: { ...word, text: text.slice(border + 1) } }], tookNext: false };
  const takesNext = (syntax.longValued ?? []).some((long) => long.startsWith(text));
  return { read: [{ name: text, value: takesNext ? next : null }], tookNext: takesNext };
}

function readShort(text: string, word: ShellWord, next: ShellWord | null, syntax: OptionSyntax): OneWord {
  if (syntax.singleDashLong === true) return readLong(text, word, next, syntax);
  const read: ReadOption[] = [];
  for (const [position, letter] of [...text].entries()) {
    if (!(syntax.valued ?? "").includes(letter)) {
      read.push({ name: letter, value: null });
      continue;
    }
    const attached = [...text].slice(position + 1).join("");
    read.push({ name: letter, value: attached === "" ? next : { ...word, text: attached } });
    return { read, tookNext: attached === "" };
  }
  return { read, tookNext: false };
}

/** Whether an option was given by its letter or by its long name, which may be shortened. */
export function hasOption(read: ReadOptions, letters: string, ...longNames: readonly string[]): boolean {
  return read.options.some((option) => isOption(option, letters, longNames));
}

export function optionValues(read: ReadOptions, letters: string, ...longNames: readonly string[]): readonly ShellWord[] {
  return read.options.flatMap((option) => (isOption(option, letters, longNames) && option.value !== null ? [option.value] : []));
}

function isOption(option: ReadOption, letters: string, longNames: readonly string[]): boolean {
  if ([...option.name].length === 1 && letters.includes(option.name)) return true;
  return longNames.some((long) => long === option.name || (option.name.length > 1 && long.startsWith(option.name)));
}

/** A variable that is probably empty must not hide a dash: `-${nothing}rf`. */
function visibleText(word: ShellWord): string {
  return word.text.replaceAll(UNSET, "").replaceAll(UNKNOWN, "");
}
