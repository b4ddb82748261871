/** Commands whose words are made from a list: `find -exec`, `fd -x`, `xargs`, `parallel`. */
import { posix } from "node:path";
import { scriptOf, type Nested } from "./nested-run";
import { isProtectedTree } from "./protected-paths";
import { hasOption, optionValues, readOptions, type OptionSyntax } from "./read-options";
import { findTargets } from "./rules-delete";
import { argumentsOf, type ShellCommand } from "./shell-command";
import { UNKNOWN, UNSET } from "./shell-scope";
import { isKnown, plainWord, type ShellWord } from "./shell-word";

export function unwrapFind(command: ShellCommand): readonly Nested[] {
  const words = argumentsOf(command);
  const { folders, isNarrowed } = findTargets(command);
  const everything = isNarrowed ? undefined : folders.find((word) => isProtectedTree(word.text, command.scope));
  return words.flatMap((word, position): readonly Nested[] => {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(word.text)) return [];
    const rest = words.slice(position + 1);
    const end = rest.findIndex((candidate) => candidate.text === ";" || candidate.text === "+");
    const inner = rest.slice(0, end === -1 ? rest.length : end).map((part) => fillIn(part, "{}", everything?.text ?? `./${UNKNOWN}`));
    return inner.length === 0 ? [] : [{ kind: "words", words: inner }];
  });
}

export function unwrapFd(command: ShellCommand): readonly Nested[] {
  const words = argumentsOf(command);
  const start = words.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word.text));
  return start === -1 ? [] : [{ kind: "words", words: [...words.slice(start + 1).map((word) => fillIn(word, "{}", `./${UNKNOWN}`)), plainWord(`./${UNKNOWN}`)] }];
}

function fillIn(word: ShellWord, mark: string, value: string): ShellWord {
  return word.text.includes(mark) ? { ...word, text: word.text.replaceAll(mark, value) } : word;
}

const XARGS_SYNTAX: OptionSyntax = { valued: "aEILnPsd", longValued: ["arg-file", "delimiter", "max-args", "max-procs", "max-chars"], untilOperand: true };
const MAX_ITEMS = 64;

export function unwrapXargs(command: ShellCommand): readonly Nested[] {
  const read = readOptions(argumentsOf(command), XARGS_SYNTAX);
  if (read.rest.length === 0) return [];
  const name = posix.basename(read.rest[0]?.text ?? "").toLowerCase();
  const findings: Nested[] = [];
  if (name === "rm" || name === "unlink" || name === "shred") findings.push({ kind: "finding", key: "delete by xargs" });
  if (name === "kill" || name === "pkill") findings.push({ kind: "finding", key: "kill of searched processes" });
  const mark = optionValues(read, "I", "replace")[0]?.text ?? (hasOption(read, "i", "replace") ? "{}" : null);
  const listed = listedItems(command, mark !== null || hasOption(read, "0d", "null", "delimiter"));
  if (mark === null) return [...findings, { kind: "words", words: [...read.rest, ...listed], withoutInput: true }];
  return [...findings, ...listed.map((item): Nested => ({ kind: "words", words: read.rest.map((word) => fillIn(word, mark, item.text)), withoutInput: true }))];
}

function listedItems(command: ShellCommand, byLine: boolean): readonly ShellWord[] {
  const text = command.input?.text ?? UNKNOWN;
  if (text.includes(UNKNOWN) || text.includes(UNSET)) return [plainWord(UNKNOWN)];
  const items = text.split(byLine ? /[\n\0]+/ : /\s+/).filter((item) => item !== "");
  return items.slice(0, MAX_ITEMS).map((item) => plainWord(item.replace(/^(["'])(.*)\1$/, "$2")));
}

export function unwrapParallel(command: ShellCommand): readonly Nested[] {
  const read = readOptions(argumentsOf(command), { valued: "jISNnLPadEC", longValued: ["jobs", "arg-file", "colsep", "delay", "timeout", "results", "joblog", "tmpdir", "retries", "sshlogin"], untilOperand: true });
  const border = read.rest.findIndex((word) => /^:::\+?$/.test(word.text));
  const template = border === -1 ? read.rest : read.rest.slice(0, border);
  const items = border === -1 ? listedItems(command, true) : read.rest.slice(border + 1).filter((word) => isKnown(word) && !word.text.startsWith(":::"));
  if (template.length === 0) return items.map((item) => scriptOf([item]));
  return items.slice(0, MAX_ITEMS).map((item) => {
    const filled = template.map((word) => fillIn(word, "{}", item.text));
    return scriptOf(template.some((word) => word.text.includes("{}")) ? filled : [...filled, item]);
  });
}
