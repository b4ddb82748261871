/**
 * Code for other interpreters asks by itself; it is not read. Only shell commands and folder
 * deletions that stand in it as plain strings are followed, so that the hard floor holds there too.
 */
import { argumentsOf, originOf, type ShellCommand } from "./shell-command";
import type { PatternKey } from "./patterns";
import { hasOption, optionValues, readOptions, type OptionSyntax, type ReadOptions } from "./read-options";
import type { Nested } from "./nested-run";
import { resolvePath } from "./protected-paths";
import { plainWord, type ShellWord } from "./shell-word";
import { UNKNOWN } from "./shell-scope";

interface Interpreter extends OptionSyntax {
  readonly name: RegExp;
  /** Options whose value is code. */
  readonly code: string;
  readonly longCode: readonly string[];
  /** Backquotes run a command in this language. */
  readonly backquotes?: boolean;
}

const INTERPRETERS: readonly Interpreter[] = [
  { name: /^(?:python|pypy)[\d.]*$/, code: "c", longCode: [], valued: "cmWX" },
  { name: /^perl[\d.]*$/, code: "eE", longCode: [], valued: "eEIMmCDF", backquotes: true },
  { name: /^ruby[\d.]*$/, code: "e", longCode: [], valued: "eIrCEF", backquotes: true },
  { name: /^(?:node|nodejs|bun)$/, code: "ep", longCode: ["eval", "print"], valued: "eprC", longValued: ["eval", "print", "require", "import", "loader", "conditions"] },
  { name: /^php[\d.]*$/, code: "r", longCode: ["run"], valued: "rBRECdfFz", backquotes: true },
  { name: /^(?:lua|luajit)[\d.]*$/, code: "e", longCode: [], valued: "el" },
  { name: /^rscript$/, code: "e", longCode: [], valued: "e" },
  { name: /^osascript$/, code: "e", longCode: [], valued: "el" },
  { name: /^(?:tclsh|expect)$/, code: "c", longCode: [], valued: "c" },
];

/** Programs that run a command only when told so by an argument of this shape. */
const BY_ARGUMENT: readonly { readonly name: RegExp; readonly argument: RegExp; readonly key: PatternKey }[] = [
  { name: /^g?tar$/, argument: /^--(?:checkpoint-action=exec|to-command|rsh-command|info-script)|^-F/, key: "command hidden in an option" },
  { name: /^(?:r?g?vi(?:m|ew|mdiff)?|r?view|nvim|ex)$/, argument: /^\+?:?!|[|:]\s*!|system\(/, key: "command hidden in an option" },
  { name: /^(?:nc|ncat|netcat)$/, argument: /^-[a-z]*[ec]|^--(?:sh-)?exec/, key: "network shell" },
  { name: /^(?:gdb|lldb)$/, argument: /^\s*(?:shell|!|pipe|python|py|source|platform\s+shell)/, key: "command hidden in an option" },
  { name: /^sqlite3$/, argument: /(?:^|[\s;])\.(?:shell|system)\b|^\s*\.import\s+"?\||\bedit\s*\(/, key: "command hidden in an option" },
  { name: /^(?:psql|mysql|mariadb)$/, argument: /\\!|^\s*system\s/, key: "command hidden in an option" },
  { name: /^(?:ed|dc)$/, argument: /(?:^|\n)\s*!/, key: "command hidden in an option" },
  { name: /^m4$/, argument: /\be?syscmd\b/, key: "command hidden in an option" },
  { name: /^emacs(?:client)?$/, argument: /^--?(?:eval|execute|load|funcall|script|e|f|l)\b/, key: "inline code" },
  { name: /^g?make$/, argument: /^--eval|^(?:SHELL|\.SHELLFLAGS)=|^(?:--(?:make)?file=)?(?:-|\/dev\/(?:stdin|fd\/\d+))$/, key: "inline code" },
  { name: /^socat$/, argument: /^(?:EXEC|SYSTEM):/i, key: "network shell" },
];

export function codeNested(command: ShellCommand, name: string): readonly Nested[] {
  const words = argumentsOf(command);
  if (/^(?:g|m|n)?awk$/.test(name)) return awkNested(command);
  if (name === "sed" || name === "gsed") return sedNested(command);
  if (name === "deno" && words[0]?.text === "eval") return finding("inline code", codeRuns(words.slice(1).map((word) => word.text), false));
  const told = BY_ARGUMENT.find((row) => row.name.test(name));
  if (told !== undefined) {
    const spoken = [...words.map((word) => word.text), command.input?.text ?? ""];
    return spoken.some((text) => told.argument.test(text)) || (name.endsWith("make") && words.some(isSubstituted)) ? finding(told.key) : [];
  }
  const interpreter = INTERPRETERS.find((candidate) => candidate.name.test(name));
  return interpreter === undefined ? [] : interpreted(command, interpreter);
}

function interpreted(command: ShellCommand, interpreter: Interpreter): readonly Nested[] {
  const read = readOptions(argumentsOf(command), { ...interpreter, untilOperand: true });
  const code = optionValues(read, interpreter.code, ...interpreter.longCode);
  const texts = code.map((word) => word.text);
  if (code.length > 0 || hasOption(read, interpreter.code, ...interpreter.longCode)) return finding(originKey(command, "inline code"), codeRuns(texts, interpreter.backquotes === true));
  const file = scriptFile(read, command);
  if (file !== null) return file.source.startsWith("<(") ? finding(originKey(command, "inline code")) : madeFile(file, command);
  return command.input === null ? [] : finding(originKey(command, "inline code"), codeRuns([command.input.text], interpreter.backquotes === true));
}

/** Null when the code comes on standard input: no file, or `-`. */
function scriptFile(read: ReadOptions, command: ShellCommand): ShellWord | null {
  const [first] = read.rest;
  if (first !== undefined) return first.text === "-" || first.text === "/dev/stdin" ? null : first;
  const runsModule = hasOption(read, "m") || read.options.some((option) => /^(?:version|help|test|check|V|v|h)$/.test(option.name));
  return runsModule ? (argumentsOf(command)[0] ?? null) : null;
}

function madeFile(file: ShellWord, command: ShellCommand): readonly Nested[] {
  const made = command.scope.files.get(resolvePath(file.text, command.scope));
  return made?.origin === "remote" ? finding("remote code") : [];
}

function originKey(command: ShellCommand, plain: PatternKey): PatternKey {
  const origin = originOf(command);
  if (origin === "remote") return "remote code";
  return origin === "decoded" ? "decoded code" : plain;
}

function finding(key: PatternKey, more: readonly Nested[] = []): readonly Nested[] {
  return [{ kind: "finding", key }, ...more];
}

/** `<(…)`: a file whose text only the substitution knows. */
function isSubstituted(word: ShellWord): boolean {
  return word.source.startsWith("<(");
}

/** awk's own ways out: `system()`, a pipe to a string or a variable, `getline` from a command. */
function awkNested(command: ShellCommand): readonly Nested[] {
  if (hasOption(readOptions(argumentsOf(command), { valued: "fFv" }), "f", "file") && argumentsOf(command).some(isSubstituted)) return finding("inline code");
  const programs = argumentsOf(command).map((word) => word.text).filter(awkRunsCommand);
  const piped = programs.flatMap((program) => [...program.matchAll(/"([^"]+)"\s*\|\s*getline|\|&?\s*"([^"]+)"/g)]);
  return programs.length === 0 ? [] : finding("inline code", [...codeRuns(programs, false), ...piped.map((match) => script(match[1] ?? match[2] ?? ""))]);
}

function awkRunsCommand(program: string): boolean {
  const bare = program.replace(/"(?:\\.|[^"\\])*"/g, '""');
  return /\bsystem\s*\(|\|&?\s*""|""\s*\|\s*getline|\bprintf?\b[^;}\n/|]*\|(?!\|)\s*[a-z_]/i.test(bare);
}

const SED_SUBSTITUTION = /(^|[;{}\n\d,!$/\s])[sy]([^\w\s\\])((?:\\[\s\S]|(?!\2)[^\\])*)\2((?:\\[\s\S]|(?!\2)[^\\])*)\2([a-zA-Z0-9]*)/g;

/** GNU sed runs commands by its `e` command and by the `e` flag of `s`. */
function sedNested(command: ShellCommand): readonly Nested[] {
  const read = readOptions(argumentsOf(command), { valued: "efl", longValued: ["expression", "file", "line-length"] });
  const given = optionValues(read, "e", "expression");
  const programs = (given.length > 0 ? given : read.operands.slice(0, 1)).map((word) => word.text);
  return programs.flatMap((program) => {
    const replaced = [...program.matchAll(SED_SUBSTITUTION)].filter((match) => match[5]?.includes("e") === true).map((match) => script((match[4] ?? "").replace(/\\(.)/g, "$1")));
    const bare = program.replace(SED_SUBSTITUTION, "$1;");
    const executed = [...bare.matchAll(/(?:^|[;{}\n\d$/,!])\s*e(?:[ \t]+([^\n]+)|\s*(?=$|[;}\n]))/g)].map((match) => script(match[1] ?? ""));
    const runs = [...replaced, ...executed];
    return runs.length === 0 ? [] : finding("command hidden in an option", runs);
  });
}

const RUNNERS = "system|popen|run|call|check_call|check_output|Popen|spawn|spawnSync|exec|execSync|execFile|execFileSync|execvp?e?|execlp?e?";
const MORE_RUNNERS = "getoutput|getstatusoutput|shell_exec|passthru|do shell script";
const RUNS_COMMAND = new RegExp(`\\b(?:${RUNNERS}|${MORE_RUNNERS})\\b\\s*\\(?([^;\\n]{0,2000})`, "g");
const REMOVES_FOLDER = /\b(?:rmtree|rm_rf|rm_r|remove_entry|rmSync|rmdirSync|removeSync|remove_tree|rmdir|rm)\b\s*\(?\s*(["'])((?:(?!\1).)*)\1/g;
const STRING = /(["'])((?:\\.|(?!\1)[^\\])*)\1/g;

function codeRuns(texts: readonly string[], backquotes: boolean): readonly Nested[] {
  return texts.flatMap((text) => {
    const calls = [...text.matchAll(RUNS_COMMAND)].flatMap((match) => callRuns(match[1] ?? ""));
    const removals = [...text.matchAll(REMOVES_FOLDER)].map((match): Nested => ({ kind: "words", words: ["rm", "-rf", match[2] ?? ""].map(plainWord) }));
    const quoted = backquotes ? [...text.matchAll(/`([^`]+)`|\b(?:qx|%x)\s*[{(/]([^})/]+)/g)].map((match) => script(match[1] ?? match[2] ?? "")) : [];
    const forks = /\bfork\b[\s\S]*\bwhile\b|\bwhile\b[\s\S]*\bfork\b/.test(text) ? finding("fork bomb") : [];
    return [...calls, ...removals, ...quoted, ...forks];
  });
}

/** The strings of one call: a single one is text for a shell, several are the words of a command. */
function callRuns(rest: string): readonly Nested[] {
  const strings = [...rest.matchAll(STRING)].map((match) => (match[2] ?? "").replace(/\\(.)/g, "$1"));
  const [first, ...others] = strings;
  if (first === undefined || first === "") return [];
  if (others.length === 0) return [script(first)];
  return [script(first), { kind: "words", words: strings.map(plainWord) }];
}

/** A command that stands in other code; what follows it there is not known. */
function script(text: string): Nested {
  return { kind: "script", script: { text: text.replaceAll(UNKNOWN, ""), origin: "plain" }, parameters: [], sameShell: false };
}
