/** Writing by a command: redirects and the programs that put a file somewhere. */
import { posix } from "node:path";
import { argumentsOf, type ShellCommand } from "./shell-command";
import type { PatternKey } from "./patterns";
import { resolvePath } from "./protected-paths";
import { hasOption, optionValues, readOptions, type OptionSyntax } from "./read-options";
import { isRawDisk, sensitiveWrite } from "./sensitive-files";

export function writeRule(command: ShellCommand, name: string): readonly PatternKey[] {
  const findings = new Set<PatternKey>();
  for (const target of writtenPaths(command, name)) {
    const path = resolvePath(target, command.scope);
    if (isRawDisk(path)) findings.add("raw disk write");
    if (/^\/dev\/(?:tcp|udp)\//.test(path)) findings.add("network shell");
    if (path === "/proc/sysrq-trigger") findings.add("machine shutdown");
    const real = path.startsWith("/") ? command.scope.place.realPath(path) : path;
    for (const key of [sensitiveWrite(path, "terminal"), sensitiveWrite(real, "terminal")]) if (key !== null) findings.add(key);
    if (isRawDisk(real)) findings.add("raw disk write");
  }
  if (command.redirects.some((redirect) => redirect.operator.startsWith("<") && /^\/dev\/(?:tcp|udp)\//.test(redirect.target.text))) findings.add("network shell");
  return [...findings];
}

/** Where this command's output goes by a redirect that writes. */
export function redirectTargets(command: ShellCommand): readonly string[] {
  return command.redirects
    .filter((redirect) => redirect.operator.includes(">") && !(redirect.operator.endsWith("&") && /^[\d-]+$/.test(redirect.target.text)))
    .map((redirect) => redirect.target.text);
}

type Targets = (command: ShellCommand) => readonly string[];

const TARGETS: Readonly<Record<string, Targets>> = {
  tee: (command) => operandsOf(command),
  cp: (command) => copyTargets(command, { valued: "tS", longValued: ["target-directory", "suffix"] }),
  mv: (command) => copyTargets(command, { valued: "tS", longValued: ["target-directory", "suffix"] }),
  install: (command) => copyTargets(command, { valued: "tmogS", longValued: ["target-directory", "mode", "owner", "group"] }),
  scp: (command) => copyTargets(command, { valued: "cFiJloPS" }),
  rsync: (command) => copyTargets(command, { valued: "efBMT" }),
  ln: (command) => [...copyTargets(command, { valued: "tS" }), ...operandsOf(command, { valued: "tS" }), ...linkedGitFolders(command)],
  dd: (command) => argumentsOf(command).flatMap((word) => (word.text.startsWith("of=") ? [word.text.slice(3)] : [])),
  truncate: (command) => operandsOf(command, { valued: "sr", longValued: ["size", "reference"] }),
  touch: (command) => operandsOf(command, { valued: "dtr" }).filter((path) => posix.basename(path) === "authorized_keys"),
  curl: (command) => fetchTargets(command, "o", "output"),
  wget: (command) => fetchTargets(command, "O", "output-document"),
  sed: (command) => editedFiles(command, { valued: "efl", longValued: ["expression", "file"] }),
  gsed: (command) => editedFiles(command, { valued: "efl", longValued: ["expression", "file"] }),
  perl: (command) => editedFiles(command, { valued: "eEIMmCDF" }),
  ruby: (command) => editedFiles(command, { valued: "eIrCEF" }),
  ed: (command) => operandsOf(command),
  ex: (command) => operandsOf(command),
  sponge: (command) => operandsOf(command),
  patch: (command) => operandsOf(command, { valued: "pidoDrBFYz" }),
};

function writtenPaths(command: ShellCommand, name: string): readonly string[] {
  return [...redirectTargets(command), ...(TARGETS[name]?.(command) ?? [])];
}

/** Files that a fetching command makes, to be remembered when they are run later on. */
export function fetchedFiles(command: ShellCommand, name: string): readonly string[] {
  if (name === "curl") return fetchTargets(command, "o", "output");
  return name === "wget" ? fetchTargets(command, "O", "output-document") : [];
}

function operandsOf(command: ShellCommand, syntax: OptionSyntax = {}): readonly string[] {
  return readOptions(argumentsOf(command), syntax).operands.map((word) => word.text);
}

/** The last operand or `-t`; when that is a folder that can be told by its text, also the file in it. */
function copyTargets(command: ShellCommand, syntax: OptionSyntax): readonly string[] {
  const read = readOptions(argumentsOf(command), syntax);
  const operands = read.operands.map((word) => word.text);
  const given = optionValues(read, "t", "target-directory").map((word) => word.text);
  const target = given[0] ?? operands.at(-1);
  if (target === undefined || (given.length === 0 && operands.length < 2)) return [];
  const sources = given.length === 0 ? operands.slice(0, -1) : operands;
  const isFolder = given.length > 0 || /(?:^|\/)\.{0,2}$/.test(target) || resolvePath(target, command.scope) === command.scope.place.home;
  return isFolder ? [target, ...sources.map((source) => posix.join(target, posix.basename(source)))] : [target];
}

/** A link to `.git` would be a second way to its hooks. */
function linkedGitFolders(command: ShellCommand): readonly string[] {
  return operandsOf(command, { valued: "tS" }).flatMap((path) => (posix.basename(path) === ".git" ? [posix.join(path, "hooks")] : []));
}

function fetchTargets(command: ShellCommand, letter: string, long: string): readonly string[] {
  const words = argumentsOf(command);
  const named = optionValues(readOptions(words, { valued: `${letter}${letter === "o" ? "HXdAuebFTxmKCcQrEwz" : "Pieot"}`, longValued: [long, "header", "data", "user-agent"] }), letter, long).map((word) => word.text);
  const isCurl = letter === "o";
  const byAddress = isCurl ? words.some((word) => /^-[a-zA-Z]*O|^--remote-name/.test(word.text)) : named.length === 0;
  if (!byAddress) return named.filter((name) => name !== "-");
  const addresses = words.flatMap((word) => (/^[a-z]+:\/\/\S+\/[^/\s]+$/i.test(word.text) ? [posix.basename(word.text.replace(/[?#].*$/, ""))] : []));
  return [...named.filter((name) => name !== "-"), ...addresses];
}

function editedFiles(command: ShellCommand, syntax: OptionSyntax): readonly string[] {
  const read = readOptions(argumentsOf(command), syntax);
  const inPlace = hasOption(read, "i") || argumentsOf(command).some((word) => /^--in-?p/.test(word.text));
  return inPlace ? read.operands.map((word) => word.text) : [];
}
