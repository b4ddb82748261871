/**
 * `${name…}`: defaults, substrings, trimming, replacing and case, so that a command that is put
 * together from pieces of variables is judged by what comes out. What is not followed is `UNKNOWN`.
 */
import { globPattern } from "./glob-pattern";
import type { ShellNode } from "./shell-parse";
import { readVariable, SPLIT, UNKNOWN, UNSET, type ShellScope } from "./shell-scope";

type ExpandInner = (children: readonly ShellNode[]) => string;

export function expandParameter(node: ShellNode, scope: ShellScope, expandInner: ExpandInner): string {
  const inner = node.children.filter((child) => child.named || (child.type !== "${" && child.type !== "}"));
  const [first, ...rest] = inner;
  if (first === undefined) return UNKNOWN;
  if (!first.named) return expandPrefixed(first.type, rest, scope);
  const value = first.type === "subscript" ? elementOf(first, scope) : readVariable(scope, first.text);
  const operator = rest[0];
  if (operator === undefined) return value;
  const argument = expandInner(rest.slice(1));
  return applyOperator(operator.text, value, argument, (assigned) => scope.variables.set(first.text, assigned));
}

/** `${!name}` reads the variable that the variable names, `${#name}` counts. */
function expandPrefixed(prefix: string, rest: readonly ShellNode[], scope: ShellScope): string {
  const name = rest[0];
  if (name === undefined) return readVariable(scope, prefix);
  const value = readVariable(scope, name.text);
  if (isUnclear(value)) return UNKNOWN;
  if (prefix === "!") return rest.length === 1 ? readVariable(scope, value) : UNKNOWN;
  return prefix === "#" ? String(value.length) : UNKNOWN;
}

function elementOf(node: ShellNode, scope: ShellScope): string {
  const [name, , index] = node.children;
  const value = readVariable(scope, name?.text ?? "");
  if (isUnclear(value)) return value === UNSET ? UNSET : UNKNOWN;
  const elements = value.split(SPLIT);
  if (index?.text === "@" || index?.text === "*") return elements.join(SPLIT);
  return /^\d+$/.test(index?.text ?? "") ? (elements[Number(index?.text)] ?? "") : UNKNOWN;
}

function isUnclear(value: string): boolean {
  return value.includes(UNKNOWN) || value.includes(UNSET);
}

function applyOperator(operator: string, value: string, argument: string, assign: (value: string) => void): string {
  const isMissing = value === UNSET || value === "";
  if (operator === ":-" || operator === "-") return isMissing ? argument : value;
  if (operator === ":=" || operator === "=") {
    if (isMissing) assign(argument);
    return isMissing ? argument : value;
  }
  if (operator === ":+" || operator === "+") return value === "" ? "" : argument;
  if (operator === ":?" || operator === "?") return isMissing ? UNKNOWN : value;
  if (isUnclear(value) || isUnclear(argument)) return UNKNOWN;
  if (operator === ":") return substring(value, argument);
  if (operator.startsWith("/")) return replacePart(value, operator, argument);
  if (operator.startsWith("#") || operator.startsWith("%")) return trim(value, operator, argument);
  if (operator.startsWith("^") || (operator === "@" && argument === "U")) return changeCase(value, operator, "upper");
  if (operator.startsWith(",") || (operator === "@" && argument === "L")) return changeCase(value, operator, "lower");
  return UNKNOWN;
}

function substring(value: string, argument: string): string {
  const match = /^\s*(-?\d+)\s*(?::\s*(-?\d+)\s*)?$/.exec(argument);
  if (match === null) return UNKNOWN;
  const offset = Number(match[1]);
  const start = offset < 0 ? Math.max(0, value.length + offset) : offset;
  if (match[2] === undefined) return value.slice(start);
  const length = Number(match[2]);
  return length < 0 ? value.slice(start, value.length + length) : value.slice(start, start + length);
}

/** Beyond this a pattern with several stars takes too long to match. */
const MAX_MATCHED = 256;

function isTooHard(value: string, pattern: string): boolean {
  return value.length > MAX_MATCHED || pattern.split("*").length > 4;
}

function replacePart(value: string, operator: string, argument: string): string {
  const border = argument.indexOf("/");
  const pattern = border === -1 ? argument : argument.slice(0, border);
  const replacement = border === -1 ? "" : argument.slice(border + 1);
  if (pattern === "") return value;
  if (isTooHard(value, pattern)) return UNKNOWN;
  return value.replace(globPattern(pattern, operator === "//" ? "g" : "", "anywhere"), () => replacement);
}

function trim(value: string, operator: string, pattern: string): string {
  if (isTooHard(value, pattern)) return UNKNOWN;
  const matcher = globPattern(pattern, "", "whole");
  const longest = operator.length === 2;
  const lengths = Array.from({ length: value.length + 1 }, (_, length) => length);
  const fromStart = operator.startsWith("#");
  const part = (length: number): string => (fromStart ? value.slice(0, length) : value.slice(value.length - length));
  const matching = lengths.filter((length) => matcher.test(part(length)));
  const removed = (longest ? matching.at(-1) : matching[0]) ?? 0;
  return fromStart ? value.slice(removed) : value.slice(0, value.length - removed);
}

function changeCase(value: string, operator: string, direction: "upper" | "lower"): string {
  const change = (text: string): string => (direction === "upper" ? text.toUpperCase() : text.toLowerCase());
  return operator.length === 2 || operator === "@" ? change(value) : change(value.slice(0, 1)) + value.slice(1);
}
