/**
 * What a command runs in turn. `sudo`, `env`, `timeout` and their like run the words after their own;
 * `sh -c`, `eval` and `ssh` run text; `find -exec`, `xargs` run words made from a list. Each answer is
 * judged like a command that was typed, to any depth. Which options of a wrapper take a value stands
 * in the tables, so that `timeout -k 5 10 rm …` is read as the program would read it.
 */
import { argumentsOf, commandName, type ShellCommand } from "./shell-command";
import { codeNested } from "./unwrap-code";
import { scriptOf, type Nested } from "./nested-run";
import { hasOption, optionValues, readOptions, type OptionSyntax } from "./read-options";
import { optionNested } from "./unwrap-options";
import { shellNested } from "./unwrap-shell";
import type { ShellWord } from "./shell-word";
import { unwrapFd, unwrapFind, unwrapParallel, unwrapXargs } from "./unwrap-lists";
import { WRAPPERS, type Wrapper } from "./wrapper-table";

type Unwrap = (command: ShellCommand) => readonly Nested[];

const SPECIAL: Readonly<Record<string, Unwrap>> = {
  xargs: unwrapXargs,
  find: unwrapFind,
  gfind: unwrapFind,
  fd: unwrapFd,
  fdfind: unwrapFd,
  parallel: unwrapParallel,
  watch: (command) => joined(command, { valued: "nq", longValued: ["interval"] }, 0),
  ssh: (command) => joined(command, { valued: "BbcDEeFIiJLlmOopQRSWw" }, 1),
  flock: unwrapFlock,
  su: (command) => textOf(command, { valued: "cgGsw", longValued: ["command", "group", "shell"] }),
  runuser: (command) => [...textOf(command, { valued: "cgGsuw", longValued: ["command", "user"] }), ...wrapped(command, { valued: "cgGsuw", longValued: ["user"] })],
  script: (command) => textOf(command, { valued: "cEIOBTmot", longValued: ["command"] }),
  coproc: unwrapCoproc,
  ...Object.fromEntries(["{", "!", "if", "then", "else", "elif", "do", "while", "until", "time"].map((word) => [word, afterReservedWord])),
  git: unwrapGit,
  docker: unwrapContainer,
  podman: unwrapContainer,
  nerdctl: unwrapContainer,
  kubectl: (command) => afterDoubleDash(command),
  env: (command) => [...textOf(command, { valued: "SuC", longValued: ["split-string"] }, "S", "split-string"), ...wrapped(command, WRAPPERS["env"] ?? {})],
};

/** Everything that this command would run, besides itself. */
export function unwrap(command: ShellCommand): readonly Nested[] {
  const name = commandName(command) ?? "";
  return [...followed(command, name), ...optionNested(command, name)];
}

function followed(command: ShellCommand, name: string): readonly Nested[] {
  const special = SPECIAL[name];
  if (special !== undefined) return special(command);
  const wrapper = WRAPPERS[name] ?? (LOADER.test(name) ? LOADER_SYNTAX : undefined);
  if (wrapper !== undefined) return wrapped(command, wrapper);
  return [...shellNested(command, name), ...codeNested(command, name)];
}

/** The dynamic loader runs the program that it is given. */
const LOADER = /^ld(?:64)?(?:-linux|-musl)?[-\w.]*\.so(?:\.\d+)?$/;
const LOADER_SYNTAX: Wrapper = { longValued: ["library-path", "preload", "audit", "argv0", "inhibit-rpath", "glibc-hwcaps-prepend", "glibc-hwcaps-mask"] };

function wrapped(command: ShellCommand, wrapper: Wrapper): readonly Nested[] {
  const first = readOptions(argumentsOf(command), { ...wrapper, untilOperand: true });
  if (wrapper.asksOnly !== undefined && hasOption(first, wrapper.asksOnly)) return [];
  let words = first.rest;
  if (wrapper.verbs !== undefined) {
    if (!wrapper.verbs.includes(words[0]?.text ?? "")) return [];
    words = readOptions(words.slice(1), { ...wrapper, untilOperand: true }).rest;
  }
  words = words.slice(wrapper.operands ?? 0);
  const assigned = wrapper.assignments === true ? countAssignments(words) : 0;
  const assignments = new Map(words.slice(0, assigned).map((word) => splitAssignment(word.text)));
  words = words.slice(assigned);
  return words.length === 0 ? [] : [{ kind: "words", words, assignments, detached: wrapper.detached === true }];
}

/** Behind `!` and `time` the grammar takes a group or a branch for a command: `! { rm …`. */
function afterReservedWord(command: ShellCommand): readonly Nested[] {
  const words = readOptions(argumentsOf(command), { untilOperand: true, valued: "fo" }).rest;
  return words.length === 0 ? [] : [{ kind: "words", words }];
}

/** The grammar reads `coproc NAME { …` as one command up to the first separator. */
function unwrapCoproc(command: ShellCommand): readonly Nested[] {
  const words = argumentsOf(command);
  const group = words.slice(0, 2).findIndex((word) => /^[{(]$/.test(word.source));
  const inner = words.slice(group + 1);
  return inner.length === 0 ? [] : [{ kind: "words", words: inner, detached: true }];
}

function countAssignments(words: readonly ShellWord[]): number {
  const end = words.findIndex((word) => !/^\w+=/.test(word.text));
  return end === -1 ? words.length : end;
}

function splitAssignment(text: string): readonly [string, string] {
  const border = text.indexOf("=");
  return [text.slice(0, border), text.slice(border + 1)];
}

/** The words after the options and `operands` more, taken together as one text for a shell. */
function joined(command: ShellCommand, syntax: OptionSyntax, operands: number): readonly Nested[] {
  const words = readOptions(argumentsOf(command), { ...syntax, untilOperand: true }).rest.slice(operands);
  const hidden = optionValues(readOptions(argumentsOf(command), { ...syntax, untilOperand: true }), "o").some((word) => /^(?:Proxy|Local|KnownHosts)Command/i.test(word.text));
  return [...(hidden ? [{ kind: "finding", key: "command hidden in an option" } as const] : []), ...(words.length === 0 ? [] : [scriptOf(words)])];
}

function textOf(command: ShellCommand, syntax: OptionSyntax, letter = "c", long = "command"): readonly Nested[] {
  return optionValues(readOptions(argumentsOf(command), syntax), letter, long).map((word) => scriptOf([word]));
}

function unwrapFlock(command: ShellCommand): readonly Nested[] {
  const runsText = hasOption(readOptions(argumentsOf(command)), "c", "command");
  if (runsText) return textOf(command, { valued: "cwE", longValued: ["command", "timeout", "wait"] });
  return wrapped(command, { valued: "wE", longValued: ["timeout", "wait"], operands: 1 });
}

function afterDoubleDash(command: ShellCommand): readonly Nested[] {
  const words = argumentsOf(command);
  const border = words.findIndex((word) => word.text === "--");
  return border === -1 || border === words.length - 1 ? [] : [{ kind: "words", words: words.slice(border + 1), contained: true }];
}

const CONTAINER_OPTIONS: OptionSyntax = {
  valued: "aceehlmpuvw",
  longValued: [
    "name", "network", "net", "volume", "env", "env-file", "workdir", "user", "entrypoint", "mount", "platform", "publish", "label", "memory", "cpus",
    "gpus", "hostname", "add-host", "restart", "pull", "shm-size", "ulimit", "cap-add", "cap-drop", "security-opt", "device", "tmpfs", "log-driver",
    "log-opt", "dns", "link", "runtime", "expose", "index", "detach-keys",
  ],
  untilOperand: true,
};

function unwrapContainer(command: ShellCommand): readonly Nested[] {
  const words = argumentsOf(command);
  const verb = words.findIndex((word) => word.text === "run" || word.text === "exec");
  if (verb === -1) return [];
  const inner = readOptions(words.slice(verb + 1), CONTAINER_OPTIONS).rest.slice(1);
  return inner.length === 0 ? [] : [{ kind: "words", words: inner, contained: true }];
}

function unwrapGit(command: ShellCommand): readonly Nested[] {
  const words = argumentsOf(command);
  const aliases = words.filter((word) => /^(?:alias\.[^=]+=)?!/.test(word.text)).map((word) => scriptOf([{ ...word, text: word.text.replace(/^[^!]*!/, "") }]));
  const verb = words.findIndex((word) => ["rebase", "bisect", "submodule", "filter-branch"].includes(word.text));
  if (verb === -1) return aliases;
  const rest = words.slice(verb + 1);
  const starts = rest.findIndex((word) => word.text === "run" || word.text === "foreach");
  const executed = optionValues(readOptions(rest, { valued: "x", longValued: ["exec", "tree-filter", "index-filter", "msg-filter"] }), "x", "exec", "tree-filter", "index-filter", "msg-filter");
  const followed = starts === -1 ? [] : readOptions(rest.slice(starts + 1), { untilOperand: true }).rest;
  return [...aliases, ...executed.map((word) => scriptOf([word])), ...(followed.length === 0 ? [] : [scriptOf(followed)])];
}
