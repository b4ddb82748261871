/**
 * What is known while a command is read in the order in which it would run: variables, functions,
 * positional parameters, the working folder, and files that the command itself has written.
 *
 * Values are text in which some private characters stand for what cannot be known by reading. A
 * command that holds such characters itself has them replaced first (`withoutMarks`).
 */
import type { ShellNode } from "./shell-parse";

/** Some text that only the run will tell, not empty as far as can be seen. */
export const UNKNOWN = "\u{E000}";
/** A variable that this command never sets: nothing, unless the environment has it. */
export const UNSET = "\u{E001}";
/** A border between words inside an expanded value. */
export const SPLIT = "\u{E002}";
/** Quoted signs that must not be taken for braces, commas or a home path. */
export const QUOTED: Readonly<Record<string, string>> = { "{": "\u{E003}", "}": "\u{E004}", ",": "\u{E005}", "~": "\u{E006}" };

export function withoutMarks(text: string): string {
  return text.replace(/[\u{E000}-\u{E00F}]/gu, "\u{FFFD}");
}

/** Where text comes from, the more telling one when several things had a hand in it. */
export type ShellOrigin = "plain" | "decoded" | "remote";

/** What a command prints, as far as reading tells. */
export interface ShellOutput {
  readonly text: string;
  /** The same where `echo` reads backslashes, which some shells do. */
  readonly decoded?: string;
  readonly origin: ShellOrigin;
}

export interface ShellScope {
  readonly variables: Map<string, string>;
  readonly functions: Map<string, ShellNode>;
  /** By absolute path: what this command wrote there. */
  readonly files: Map<string, ShellOutput>;
  readonly executables: Set<string>;
  /** `$1` …; null inside a function that is read before it is called. */
  parameters: readonly string[] | null;
  /** Null once it is no longer known. */
  workingFolder: string | null;
  readonly place: ShellPlace;
}

export interface ShellPlace {
  /** Where the command starts; absolute, like every path here. */
  readonly workingFolder: string;
  /** The person's home folder: `~`. */
  readonly home: string;
  /** The home of the profile, which holds its settings and the database. */
  readonly profileHome: string;
  readonly workspace: string;
  /** Where an absolute path leads once links are followed. */
  readonly realPath: (path: string) => string;
}

export function openScope(place: ShellPlace): ShellScope {
  const { workingFolder } = place;
  return { place, workingFolder, variables: new Map(), functions: new Map(), files: new Map(), executables: new Set(), parameters: [] };
}

/** For a subshell: what it changes stays inside, save the files it writes. */
export function subshellScope(scope: ShellScope): ShellScope {
  return { ...scope, variables: new Map(scope.variables), functions: new Map(scope.functions) };
}

/** After a branch that may or may not have run, a variable that it changed is not known any more. */
export function forgetChanged(scope: ShellScope, before: ReadonlyMap<string, string>): void {
  for (const [name, value] of scope.variables) {
    if (before.get(name) !== value) scope.variables.set(name, UNKNOWN);
  }
}

const SHELL_PATH = "/bin/bash";
const OUTSIDE_VARIABLES = new Set([
  "USER", "LOGNAME", "TMPDIR", "TEMP", "TMP", "LANG", "TERM", "HOSTNAME", "OLDPWD", "RANDOM", "SECONDS", "LINENO", "UID", "EUID",
  "PPID", "BASHPID", "EDITOR", "VISUAL", "PAGER", "VIRTUAL_ENV", "CONDA_PREFIX", "XDG_CONFIG_HOME", "XDG_CACHE_HOME",
  "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "JAVA_HOME", "GOPATH", "GOROOT", "CARGO_HOME", "NVM_DIR", "CI", "DISPLAY", "COLUMNS", "LINES",
  "REPLY", "BASH_SOURCE", "BASH_REMATCH", "PIPESTATUS", "DIRSTACK", "GROUPS", "FUNCNAME", "OPTARG", "OSTYPE", "MACHTYPE", "HOSTTYPE", "?", "!", "$", "#", "-", "_",
]);

/** The value of a variable or parameter, in the text described above. */
export function readVariable(scope: ShellScope, name: string): string {
  const assigned = scope.variables.get(name);
  if (assigned !== undefined) return assigned;
  if (name === "HOME") return scope.place.home;
  if (name === "PWD") return scope.workingFolder ?? UNKNOWN;
  if (name === "IFS") return " \t\n";
  if (name === "PATH") return "/usr/local/bin:/usr/bin:/bin";
  if (name === "SHELL" || name === "BASH") return SHELL_PATH;
  if (name === "0") return "bash";
  if (/^[1-9]\d*$/.test(name)) return scope.parameters === null ? UNKNOWN : (scope.parameters[Number(name) - 1] ?? "");
  if (name === "@" || name === "*") return scope.parameters === null ? UNKNOWN : scope.parameters.join(SPLIT);
  return OUTSIDE_VARIABLES.has(name) ? UNKNOWN : UNSET;
}

const ORIGIN_RANK: Readonly<Record<ShellOrigin, number>> = { plain: 0, decoded: 1, remote: 2 };

export function strongerOrigin(first: ShellOrigin, second: ShellOrigin): ShellOrigin {
  return ORIGIN_RANK[first] >= ORIGIN_RANK[second] ? first : second;
}

export function joinOutputs(outputs: readonly ShellOutput[]): ShellOutput {
  return {
    text: outputs.map((output) => (output.text === UNKNOWN && outputs.length > 1 ? `${UNKNOWN}\n` : output.text)).join(""),
    origin: outputs.reduce<ShellOrigin>((origin, output) => strongerOrigin(origin, output.origin), "plain"),
  };
}
