/** What a command changes for those after it: folder, parameters, variables, files it writes. */
import { posix } from "node:path";
import { argumentsOf, type ShellCommand } from "./shell-command";
import { resolvePath } from "./protected-paths";
import { readOptions } from "./read-options";
import { madeExecutable } from "./rules-code";
import { fetchedFiles, redirectTargets } from "./rules-write";
import { joinOutputs, UNKNOWN, UNSET, type ShellOutput, type ShellScope } from "./shell-scope";

type Effect = (command: ShellCommand, scope: ShellScope) => void;

const EFFECTS: Readonly<Record<string, Effect>> = {
  cd: changeFolder,
  pushd: changeFolder,
  popd: (_command, scope) => {
    scope.workingFolder = null;
  },
  set: (command, scope) => {
    const words = argumentsOf(command).map((word) => word.text);
    const border = words.indexOf("--");
    const operands = border === -1 ? readOptions(argumentsOf(command), { valued: "o", untilOperand: true }).rest.map((word) => word.text) : words.slice(border + 1);
    if (border !== -1 || operands.length > 0) scope.parameters = operands.filter((word) => !/^\+[a-z]/.test(word));
  },
  shift: (_command, scope) => {
    scope.parameters = scope.parameters?.slice(1) ?? null;
  },
  read: forgetNamed,
  mapfile: forgetNamed,
  readarray: forgetNamed,
  getopts: forgetNamed,
  printf: (command, scope) => {
    const [option, name] = argumentsOf(command);
    if (option?.text === "-v" && name !== undefined) scope.variables.set(name.text, UNKNOWN);
  },
};

export function applyEffects(command: ShellCommand, name: string, output: ShellOutput): void {
  EFFECTS[name]?.(command, command.scope);
  rememberFiles(command, name, output);
}

function changeFolder(command: ShellCommand, scope: ShellScope): void {
  const target = readOptions(argumentsOf(command)).operands[0]?.text ?? scope.place.home;
  const isUnclear = target === "-" || target.includes(UNKNOWN) || target.includes(UNSET);
  scope.workingFolder = isUnclear || (scope.workingFolder === null && !posix.isAbsolute(target)) ? null : resolvePath(target, scope);
}

function forgetNamed(command: ShellCommand, scope: ShellScope): void {
  for (const word of argumentsOf(command)) {
    if (/^[A-Za-z_]\w*$/.test(word.text)) scope.variables.set(word.text, UNKNOWN);
  }
}

function rememberFiles(command: ShellCommand, name: string, output: ShellOutput): void {
  const { scope } = command;
  const appends = command.redirects.some((redirect) => redirect.operator.includes(">>"));
  const written = name === "tee" ? argumentsOf(command).filter((word) => !word.text.startsWith("-")).map((word) => word.text) : [];
  for (const target of [...redirectTargets(command), ...written]) {
    const path = resolvePath(target, scope);
    const before = scope.files.get(path);
    scope.files.set(path, appends && before !== undefined ? joinOutputs([before, output]) : output);
  }
  for (const target of fetchedFiles(command, name)) scope.files.set(resolvePath(target, scope), { text: UNKNOWN, origin: "remote" });
  for (const path of madeExecutable(command, name)) scope.executables.add(path);
  if (name === "cp" || name === "mv" || name === "ln") followCopy(command);
}

function followCopy(command: ShellCommand): void {
  const [from, to] = readOptions(argumentsOf(command)).operands;
  if (from === undefined || to === undefined) return;
  const copied = command.scope.files.get(resolvePath(from.text, command.scope));
  if (copied !== undefined) command.scope.files.set(resolvePath(to.text, command.scope), copied);
}
