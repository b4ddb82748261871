/** Shells: text by `-c`, by standard input, from a file, and in the same shell by `eval` and `source`. */
import { argumentsOf, type ShellCommand } from "./shell-command";
import { resolvePath } from "./protected-paths";
import { hasOption, optionValues, readOptions } from "./read-options";
import { UNKNOWN, type ShellOutput } from "./shell-scope";
import { scriptOf, type Nested } from "./nested-run";
import type { ShellWord } from "./shell-word";

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "ksh93", "mksh", "pdksh", "ash", "rbash", "fish", "csh", "tcsh", "xonsh", "nu", "elvish"]);

export function shellNested(command: ShellCommand, name: string): readonly Nested[] {
  if (SHELLS.has(name)) return shellRuns(command);
  if (name === "eval") return argumentsOf(command).length === 0 ? [] : [{ ...asScript(argumentsOf(command)), sameShell: true }];
  if (name === "source" || name === ".") return sourced(command);
  if (name === "trap") return argumentsOf(command).filter((word) => !/^-{0,2}$/.test(word.text)).slice(0, -1).slice(0, 1).map((word) => scriptOf([word]));
  if (name === "alias") return argumentsOf(command).flatMap((word) => (word.text.includes("=") ? [scriptOf([{ ...word, text: word.text.slice(word.text.indexOf("=") + 1) }])] : []));
  return fileRuns(command, command.words[0]);
}

type Script = Extract<Nested, { kind: "script" }>;

function asScript(words: readonly ShellWord[]): Script {
  const nested = scriptOf(words);
  return nested.kind === "script" ? nested : { kind: "script", script: { text: UNKNOWN, origin: "plain" }, parameters: [], sameShell: false };
}

function shellRuns(command: ShellCommand): readonly Nested[] {
  const words = argumentsOf(command).filter((word) => !/^\+[a-zA-Z]/.test(word.text));
  const read = readOptions(words, { valued: "oOC", longValued: ["rcfile", "init-file", "command", "init-command"], untilOperand: true });
  const early = optionValues(read, "C", "command", "init-command").map((word) => scriptOf([word]));
  const [first, ...rest] = read.rest;
  if (hasOption(read, "c")) {
    if (first === undefined) return early;
    return [...early, { ...asScript([first]), parameters: rest.slice(1).map((word) => word.text), name: rest[0]?.text ?? "bash" }];
  }
  if (first === undefined || hasOption(read, "s") || isStandardInput(first)) return [...early, ...inputRuns(command.input, rest)];
  return [...early, ...fileRuns(command, first, rest)];
}

function isStandardInput(word: ShellWord): boolean {
  return word.text === "-" || word.text === "/dev/stdin" || word.text === "/dev/fd/0" || word.text === "/proc/self/fd/0";
}

function inputRuns(input: ShellOutput | null, parameters: readonly ShellWord[]): readonly Nested[] {
  return input === null ? [] : [{ kind: "script", script: input, parameters: parameters.map((word) => word.text), sameShell: false }];
}

/** A script file: one that this very command wrote or fetched, or a `<(…)`. Other files are as they are. */
function fileRuns(command: ShellCommand, file: ShellWord | undefined, parameters: readonly ShellWord[] = []): readonly Nested[] {
  if (file === undefined) return [];
  const made = file.text.includes("/") || command.words[0] !== file ? command.scope.files.get(resolvePath(file.text, command.scope)) : undefined;
  if (made !== undefined) {
    const run: Nested = { kind: "script", script: made, parameters: parameters.map((word) => word.text), sameShell: false };
    return made.text.includes(UNKNOWN) ? [{ kind: "finding", key: "run of a new program" }, run] : [run];
  }
  const printed = file.outputs[0];
  if (printed === undefined || command.words[0] === file) return [];
  return file.source.startsWith("<(") || printed.origin !== "plain" ? [{ kind: "script", script: printed, parameters: [], sameShell: false }] : [];
}

function sourced(command: ShellCommand): readonly Nested[] {
  const [file, ...parameters] = argumentsOf(command);
  if (file === undefined) return [];
  const runs = isStandardInput(file) ? inputRuns(command.input, parameters) : fileRuns(command, file, parameters);
  return runs.map((nested) => (nested.kind === "script" ? { ...nested, sameShell: true } : nested));
}
