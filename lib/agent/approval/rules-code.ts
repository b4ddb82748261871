/** Running what is not known: a name that is only known at run time, a file made a moment ago. */
import { argumentsOf, commandName, type ShellCommand } from "./shell-command";
import type { PatternKey } from "./patterns";
import { resolvePath } from "./protected-paths";
import { hasOption, readOptions } from "./read-options";

/** A word of the grammar in the place of a command: the text was not read as the shell would. */
const MISREAD = new Set(["for", "case", "select", "function", "in", "esac"]);

/** Builtins that evaluate what stands between the brackets of `name[…]`, however it was quoted. */
const EVALUATES_SUBSCRIPTS = /^(?:printf|test|\[|read|let|mapfile|readarray|wait)$/;
const HIDDEN_IN_SUBSCRIPT = /\w\[[^\]]*(?:\$\(|`)/;
/** A system program under another name is no longer known by it. */
const RENAMES = /^(?:cp|ln|mv|install|rsync)$/;
const SYSTEM_PROGRAM = /^\/(?:usr\/)?(?:local\/)?s?bin\/[^/]+$/;

export function codeRule(command: ShellCommand, name: string): readonly PatternKey[] {
  const givesNewName = name === "hash" && hasOption(readOptions(argumentsOf(command), { valued: "p" }), "p");
  if (commandName(command) === null || givesNewName) return ["command named at run time"];
  // The grammar takes a line that begins with a backslash for more words of the line before.
  if (command.words.some((word) => word.source.startsWith("\n"))) return ["unreadable command"];
  if (MISREAD.has(command.words[0]?.source ?? "") && command.words.length > 1) return ["unreadable command"];
  if (EVALUATES_SUBSCRIPTS.test(name) && argumentsOf(command).some((word) => HIDDEN_IN_SUBSCRIPT.test(word.text))) return ["command hidden in an option"];
  if (RENAMES.test(name) && argumentsOf(command).slice(0, -1).some((word) => SYSTEM_PROGRAM.test(resolvePath(word.text, command.scope)))) return ["run of a new program"];
  const program = command.words[0]?.text ?? "";
  if (program.includes("/") && command.scope.executables.has(resolvePath(program, command.scope))) return ["run of a new program"];
  return [];
}

/** Files that `chmod` makes executable. */
export function madeExecutable(command: ShellCommand, name: string): readonly string[] {
  if (name !== "chmod") return [];
  const [mode, ...files] = readOptions(argumentsOf(command)).operands;
  const isExecutable = /[+=][rwX]*x/.test(mode?.text ?? "") || (/^[0-7]{3,4}$/.test(mode?.text ?? "") && /[1357]/.test((mode?.text ?? "").slice(-3)));
  return isExecutable ? files.map((file) => resolvePath(file.text, command.scope)) : [];
}
