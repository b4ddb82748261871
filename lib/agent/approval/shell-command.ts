/**
 * One simple command, ready to be judged: its words expanded, its wrappers not yet taken off. Rules
 * read this and nothing else.
 */
import type { ShellOrigin, ShellOutput, ShellScope } from "./shell-scope";
import { isKnown, type ShellWord } from "./shell-word";
import { UNKNOWN, UNSET } from "./shell-scope";

export interface ShellRedirect {
  readonly operator: string;
  readonly target: ShellWord;
}

export interface ShellCommand {
  /** The command's name first; never empty. */
  readonly words: readonly ShellWord[];
  /** `NAME=value` in front of it. */
  readonly assignments: ReadonlyMap<string, string>;
  readonly redirects: readonly ShellRedirect[];
  /** What it reads on standard input, null when that is nothing or the terminal. */
  readonly input: ShellOutput | null;
  /** A part of a pipeline by itself, not inside a loop that is one. */
  readonly piped: boolean;
  /** Started so that the shell does not wait for it: `&`, `nohup`, `setsid`. */
  readonly detached: boolean;
  /** Where it stands in its text. */
  readonly start: number;
  readonly scope: ShellScope;
}

/** The program without its folder, in lower case (macOS finds `RM` too), or null when it cannot be read. */
export function commandName(command: ShellCommand): string | null {
  const [first] = command.words;
  if (first === undefined) return null;
  const base = first.text.replaceAll(UNSET, "").split("/").at(-1) ?? "";
  const isGlob = /[*?]|\[.+\]/.test(base);
  if (base.includes(UNKNOWN) || isGlob || (base === "" && !isKnown(first))) return null;
  return base.toLowerCase().replace(/\.exe$/, "");
}

export function argumentsOf(command: ShellCommand): readonly ShellWord[] {
  return command.words.slice(1);
}

/** All the text that a command can see at a glance, for rules about what it says. */
export function spokenText(command: ShellCommand): string {
  return [...command.words.map((word) => word.text), command.input?.text ?? ""].join(" ");
}

/** The strongest origin among what feeds the command: its input and the `$(…)` in its words. */
export function originOf(command: ShellCommand): ShellOrigin {
  const origins = [command.input, ...command.words.flatMap((word) => word.outputs)].map((output) => output?.origin ?? "plain");
  if (origins.includes("remote")) return "remote";
  return origins.includes("decoded") ? "decoded" : "plain";
}
