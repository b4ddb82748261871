/** Deleting: `rm` and its relatives, `find`, `xargs rm`, `rsync --delete`, Windows commands. */
import { posix } from "node:path";
import { argumentsOf, spokenText, type ShellCommand } from "./shell-command";
import type { PatternKey } from "./patterns";
import { isInsideWorkspace, isProtectedTree } from "./protected-paths";
import { hasOption, readOptions } from "./read-options";
import type { ShellWord } from "./shell-word";

const REMOVERS = new Set(["rm", "grm", "srm", "rimraf", "unlink", "del-cli"]);

export function deleteRule(command: ShellCommand, name: string): readonly PatternKey[] {
  if (REMOVERS.has(name)) return removeFindings(command, name);
  if (name === "find" || name === "gfind" || name === "fd" || name === "fdfind") return findFindings(command);
  if (name === "rsync") return rsyncFindings(command);
  if (name === "mv") return movesAway(command) ? ["delete outside the workspace"] : [];
  if (name === "shred") return ["file overwrite"];
  if (name === "cmd" || name === "powershell" || name === "pwsh") return windowsFindings(command);
  return [];
}

/** A system folder or a home that is moved is as good as gone. */
function movesAway(command: ShellCommand): boolean {
  const { operands } = readOptions(argumentsOf(command), { valued: "tS", longValued: ["target-directory", "suffix"] });
  return operands.some((word) => isProtectedTree(word.text, command.scope));
}

function removeFindings(command: ShellCommand, name: string): readonly PatternKey[] {
  const read = readOptions(argumentsOf(command), name === "unlink" ? {} : { valued: name === "rimraf" ? "g" : "" });
  if (hasOption(read, "", "help", "version") && read.operands.length === 0) return [];
  const isRecursive = name === "rimraf" || name === "del-cli" || hasOption(read, "rR", "recursive", "no-preserve-root");
  const findings: PatternKey[] = [];
  if (isRecursive) findings.push("recursive delete");
  if (isRecursive && read.operands.some((word) => isProtectedTree(word.text, command.scope))) findings.push("delete of everything");
  if (read.operands.some((word) => !isInsideWorkspace(word.text, command.scope))) findings.push("delete outside the workspace");
  return findings;
}

/** Tests that make `find` pick some files; without one it walks over everything below its folders. */
const NARROWING = /^-(?:i?name|i?path|i?wholename|i?regex|size|[acm](?:time|min)|newer.*|empty|user|group|uid|gid|perm|inum|links|samefile|nouser|nogroup|maxdepth|type)$/;

export interface FindTargets {
  readonly folders: readonly ShellWord[];
  readonly isNarrowed: boolean;
}

export function findTargets(command: ShellCommand): FindTargets {
  const words = argumentsOf(command);
  const border = words.findIndex((word) => /^(?:-[a-zA-Z]{2,}|[(!])/.test(word.text));
  const folders = words.slice(0, border === -1 ? words.length : border).filter((word) => !/^-[HLPOD]/.test(word.text));
  const isNarrowed = words.some((word, position) => NARROWING.test(word.text) && !isVacuous(word.text, words[position + 1]?.text ?? ""));
  return { folders, isNarrowed };
}

function isVacuous(test: string, value: string): boolean {
  if (test === "-type") return value.split(",").includes("f") || value === "d";
  if (test === "-maxdepth") return value !== "0";
  return /name$|path$|regex$/.test(test) && /^(?:\.?\*+|\.\*)$/.test(value);
}

function findFindings(command: ShellCommand): readonly PatternKey[] {
  const words = argumentsOf(command);
  const executed = words.flatMap((word, position) => (/^-(?:exec|execdir|ok|okdir)$|^(?:-x|-X|--exec|--exec-batch)$/.test(word.text) ? [words[position + 1]] : []));
  const deletes = words.some((word) => word.text === "-delete");
  const removes = executed.some((word) => word !== undefined && REMOVERS.has(posix.basename(word.text).toLowerCase()));
  if (!deletes && !removes) return [];
  const { folders, isNarrowed } = findTargets(command);
  const takesEverything = !isNarrowed && folders.some((word) => isProtectedTree(word.text, command.scope));
  return takesEverything ? ["delete by find", "delete of everything"] : ["delete by find"];
}

function rsyncFindings(command: ShellCommand): readonly PatternKey[] {
  const deletes = argumentsOf(command).some((word) => /^--(?:del|delete)/.test(word.text) || word.text === "--remove-source-files");
  if (!deletes) return [];
  const target = argumentsOf(command).findLast((word) => !word.text.startsWith("-"));
  return target !== undefined && isProtectedTree(target.text, command.scope) ? ["mirror delete", "delete of everything"] : ["mirror delete"];
}

function windowsFindings(command: ShellCommand): readonly PatternKey[] {
  const text = spokenText(command);
  const findings: PatternKey[] = [];
  if (/(?:^|[\s;&|/"'({])(?:del|erase|rd|rmdir)\s/i.test(text) || /\b(?:Remove-Item|ri|rm)\b[^;|]*-r/i.test(text)) findings.push("recursive delete");
  if (/\s-e(?:c|nc?|nco[a-z]*)?\s+[A-Za-z0-9+/=]{8,}/i.test(text)) findings.push("decoded code");
  if (/\b(?:format)\s+[a-z]:|Format-Volume|Clear-Disk/i.test(text)) findings.push("file system format");
  if (/(?:Stop|Restart)-Computer|\bshutdown\b/i.test(text)) findings.push("machine shutdown");
  if (/\b(?:iex|Invoke-Expression)\b/i.test(text)) findings.push("unknown code");
  return findings;
}
