/**
 * Which patterns a command falls under, whatever it is wrapped in. Every simple command is put to all
 * rules; what it runs in turn (other words, text for a shell) is judged the same way, to a bounded
 * depth and number. Reaching a bound, or text that cannot be parsed, is a finding, never a pass.
 */
import { foldFillers, foldLookalikes, hasHiddenCharacters, joinContinuedLines } from "./normalise";
import { rewriteMisread } from "./rewrite-misread";
import type { Nested } from "./nested-run";
import { PATTERN_KEYS, PATTERNS, type PatternKey } from "./patterns";
import { codeRule } from "./rules-code";
import { deleteRule } from "./rules-delete";
import { diskRule, permissionRule, processRule, serviceRule, shutdownRule } from "./rules-system";
import { containerRule, databaseRule, gitRule, privilegeRule } from "./rules-tools";
import { writeRule } from "./rules-write";
import { commandName, type ShellCommand } from "./shell-command";
import { applyEffects } from "./shell-effects";
import { outputOf } from "./shell-output";
import type { ParseShell, ShellNode } from "./shell-parse";
import { joinOutputs, openScope, subshellScope, UNKNOWN, UNSET, withoutMarks, type ShellOutput, type ShellPlace, type ShellScope } from "./shell-scope";
import { PLAIN_FLOW, walkStatement, type Flow, type ShellReader } from "./shell-walk";
import { unwrap } from "./unwrap";
import { variableRuns } from "./variable-runs";

const RULES = [codeRule, deleteRule, permissionRule, diskRule, shutdownRule, processRule, serviceRule, gitRule, databaseRule, containerRule, privilegeRule, writeRule];

const MAX_CHARACTERS = 128_000;
/** Statements and commands read, nested ones and repetitions included; a parse counts for some. */
const MAX_STEPS = 20_000;
const PARSE_STEPS = 20;
const MAX_DEPTH = 12;
const MAX_PIECES = 200;
const MAX_ACTIVE_FUNCTIONS = 16;

interface Reading {
  readonly parse: ParseShell;
  readonly findings: Set<PatternKey>;
  /** Functions being read, with the places where each starts itself anew beside itself. */
  readonly active: Map<ShellNode, Set<string>>;
  stepsLeft: number;
  depth: number;
  /** Above 0 inside a container. */
  contained: number;
}

/** Keys in the order of the table; empty for a command that may simply run. */
export function findPatterns(parse: ParseShell, text: string, place: ShellPlace): readonly PatternKey[] {
  const reading: Reading = { parse, findings: new Set(), active: new Map(), stepsLeft: MAX_STEPS, depth: 0, contained: 0 };
  if (text.length > MAX_CHARACTERS) reading.findings.add("unreadable command");
  if (hasHiddenCharacters(text)) reading.findings.add("hidden characters");
  const asWritten = withoutMarks(text.slice(0, MAX_CHARACTERS));
  readScript(asWritten, openScope(place), PLAIN_FLOW, reading);
  const folded = foldFillers(foldLookalikes(asWritten));
  if (folded !== asWritten) {
    // A second spelling, of our own making: that it may not parse says nothing.
    const second: Reading = { ...reading, findings: new Set(), active: new Map(), stepsLeft: MAX_STEPS };
    readScript(folded, openScope(place), PLAIN_FLOW, second);
    second.findings.delete("unreadable command");
    for (const key of second.findings) reading.findings.add(key);
  }
  return PATTERN_KEYS.filter((key) => reading.findings.has(key));
}

/** Each spelling is read, the last one for what it leaves behind. */
function readScript(text: string, scope: ShellScope, flow: Flow, reading: Reading): ShellOutput {
  const joined = joinContinuedLines(text);
  if (joined !== text) readText(text, subshellScope(scope), flow, reading);
  const rewritten = rewriteMisread(joined);
  if (rewritten === joined) return readText(joined, scope, flow, reading);
  readText(joined, subshellScope(scope), flow, reading);
  // Ours, so that it may not parse says nothing.
  const tree = reading.parse(rewritten);
  return tree.status === "whole" ? walkStatement(tree.root, scope, flow, readerFor(reading)) : { text: UNKNOWN, origin: "plain" };
}

function readText(text: string, scope: ShellScope, flow: Flow, reading: Reading): ShellOutput {
  if (!spend(reading, PARSE_STEPS)) return { text: UNKNOWN, origin: "plain" };
  const tree = reading.parse(text);
  if (tree.status === "broken") {
    reading.findings.add("unreadable command");
    readPieces(text, scope, flow, reading);
  }
  return walkStatement(tree.root, scope, flow, readerFor(reading));
}

/** What can be read of a text that does not parse as a whole: for the floor, since it asks anyway. */
function readPieces(text: string, scope: ShellScope, flow: Flow, reading: Reading): void {
  const pieces = text.split(/[\n;&|(){}`]+/).filter((piece) => piece.trim() !== "");
  for (const piece of pieces.slice(0, MAX_PIECES)) {
    for (const candidate of [piece, piece.replace(/["'\\]/g, ""), piece.replace(/,/g, " ")]) {
      const tree = reading.parse(candidate);
      if (tree.status === "whole") walkStatement(tree.root, subshellScope(scope), flow, readerFor(reading));
    }
  }
}

function readerFor(reading: Reading): ShellReader {
  return {
    spend: () => spend(reading, 1),
    run: (command) => runCommand(command, reading),
    read: (text, scope) => deeper(reading, () => readScript(text, scope, PLAIN_FLOW, reading)),
    setVariable: (name, value, scope) => {
      const nested = variableRuns(name, value, "");
      if (nested?.kind === "script") deeper(reading, () => readScript(nested.script.text, subshellScope(scope), PLAIN_FLOW, reading));
      if (nested?.kind === "finding") report(nested.key, reading);
    },
    report: (key) => report(key, reading),
    defineFunction: (name, body, scope) => {
      scope.functions.set(name, body);
      callFunction(body, { ...subshellScope(scope), parameters: null }, PLAIN_FLOW, reading);
    },
  };
}

function runCommand(command: ShellCommand, reading: Reading): ShellOutput {
  if (!spend(reading, 1)) return { text: UNKNOWN, origin: "plain" };
  const name = commandName(command) ?? "";
  for (const key of RULES.flatMap((rule) => rule(command, name))) report(key, reading);
  for (const [variable, value] of command.assignments) {
    const nested = variableRuns(variable, value, name);
    if (nested !== null) runNested(nested, { ...command, assignments: new Map() }, reading);
  }
  const body = command.scope.functions.get(name);
  const output = body === undefined ? runProgram(command, name, reading) : runFunction(command, body, reading);
  applyEffects(command, name, name === ":" && command.input !== null ? command.input : output);
  return output;
}

function spend(reading: Reading, steps: number): boolean {
  reading.stepsLeft -= steps;
  if (reading.stepsLeft >= 0) return true;
  reading.findings.add("unreadable command");
  return false;
}

function runProgram(command: ShellCommand, name: string, reading: Reading): ShellOutput {
  const nested = unwrap(command);
  const rest = name === "" && command.words.length > 1 ? [{ kind: "words" as const, words: command.words.slice(1) }] : [];
  const outputs = [...nested, ...rest].flatMap((inner) => runNested(inner, command, reading));
  const isFollowed = outputs.length > 0 && nested.every((inner) => inner.kind !== "finding");
  return isFollowed ? joinOutputs(outputs) : outputOf(command);
}

function runNested(nested: Nested, command: ShellCommand, reading: Reading): readonly ShellOutput[] {
  if (nested.kind === "finding") {
    report(nested.key, reading);
    return [];
  }
  const isContained = nested.kind === "words" && nested.contained === true;
  if (isContained) reading.contained += 1;
  const output = deeper(reading, () => (nested.kind === "words" ? runWords(nested, command, reading) : runScript(nested, command, reading)));
  if (isContained) reading.contained -= 1;
  return [output];
}

function deeper(reading: Reading, read: () => ShellOutput): ShellOutput {
  if (reading.depth >= MAX_DEPTH) {
    report("unreadable command", reading);
    return { text: UNKNOWN, origin: "plain" };
  }
  reading.depth += 1;
  const output = read();
  reading.depth -= 1;
  return output;
}

function runWords(nested: Extract<Nested, { kind: "words" }>, command: ShellCommand, reading: Reading): ShellOutput {
  const assignments = new Map([...command.assignments, ...(nested.assignments ?? [])]);
  const detached = command.detached || nested.detached === true;
  return runCommand({ ...command, words: nested.words, assignments, redirects: [], detached, input: nested.withoutInput === true ? null : command.input }, reading);
}

function runScript(nested: Extract<Nested, { kind: "script" }>, command: ShellCommand, reading: Reading): ShellOutput {
  const { text, origin } = nested.script;
  const isUnknown = text.replaceAll(UNKNOWN, "").replaceAll(UNSET, "").trim() === "" && text.trim() !== "";
  if (origin !== "plain") report(origin === "remote" ? "remote code" : "decoded code", reading);
  else if (isUnknown) report("unknown code", reading);
  if (isUnknown) return { text: UNKNOWN, origin };
  const scope = nested.sameShell ? command.scope : { ...subshellScope(command.scope), parameters: nested.parameters };
  if (nested.name !== undefined) scope.variables.set("0", nested.name);
  const input = nested.script === command.input ? null : command.input;
  const flow: Flow = { input, piped: command.piped, detached: command.detached };
  if (nested.script.decoded !== undefined) readScript(nested.script.decoded, subshellScope(scope), flow, reading);
  return readScript(text, scope, flow, reading);
}

function runFunction(command: ShellCommand, body: ShellNode, reading: Reading): ShellOutput {
  const starts = reading.active.get(body);
  if (starts === undefined) {
    const scope = { ...command.scope, parameters: command.words.slice(1).map((word) => word.text) };
    const output = callFunction(body, scope, { input: command.input, piped: false, detached: false }, reading);
    command.scope.workingFolder = scope.workingFolder;
    return output;
  }
  // A function that starts itself beside itself: once without an argument that could end it, or twice.
  if (command.detached && command.words.length === 1) report("fork bomb", reading);
  if (command.detached || command.piped) starts.add(`${reading.depth}:${command.start}`);
  if (starts.size > 1) report("fork bomb", reading);
  return { text: UNKNOWN, origin: "plain" };
}

function callFunction(body: ShellNode, scope: ShellScope, flow: Flow, reading: Reading): ShellOutput {
  if (reading.active.has(body) || reading.active.size >= MAX_ACTIVE_FUNCTIONS) return { text: UNKNOWN, origin: "plain" };
  reading.active.set(body, new Set());
  const output = walkStatement(body, scope, flow, readerFor(reading));
  reading.active.delete(body);
  return output;
}

/** In a container the floor has no say over this machine: there it asks. */
function report(key: PatternKey, reading: Reading): void {
  if (reading.contained === 0 || PATTERNS[key].category !== "floor") reading.findings.add(key);
  else reading.findings.add(key === "delete of everything" ? "recursive delete" : "unknown code");
}
