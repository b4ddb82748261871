/** One `command` node, and the redirects around it, as the command that `run` is given. */
import type { ShellCommand, ShellRedirect } from "./shell-command";
import type { ShellNode } from "./shell-parse";
import { resolvePath } from "./protected-paths";
import { UNKNOWN, UNSET, type ShellOutput } from "./shell-scope";
import { expandBody, expandText, expandWord, plainWord, type ShellWord, type WordContext } from "./shell-word";

export interface CommandParts {
  /** `file_redirect`, `herestring_redirect` and `heredoc_redirect` nodes that stand around the command. */
  readonly redirects: readonly ShellNode[];
  /** Arguments that the grammar puts into a here-document's node. */
  readonly more: readonly ShellNode[];
}

interface Surroundings {
  readonly input: ShellOutput | null;
  readonly piped: boolean;
  readonly detached: boolean;
}

/** Null for bare assignments. `implied` names a command that is not written. */
export function simpleCommand(node: ShellNode, parts: CommandParts, around: Surroundings, context: WordContext, implied?: string): ShellCommand | null {
  const assignments = new Map<string, string>();
  for (const child of node.children.filter((candidate) => candidate.type === "variable_assignment")) {
    const value = child.children.find((candidate) => candidate.field === "value");
    const name = child.children[0]?.text ?? "";
    const isBare = !node.children.some((candidate) => candidate.type === "command_name");
    if (!isBare) assignments.set(name, value === undefined ? "" : expandText([value], context).text);
  }
  const written = [...node.children, ...parts.more].filter((child) => child.type === "command_name" || child.field === "argument");
  const words = implied === undefined ? withoutEmptyFront(groupNeighbours(written).flatMap((group) => expandWord(group, context))) : [plainWord(implied)];
  const nodes = [...node.children.filter((child) => child.field === "redirect"), ...parts.redirects];
  const redirects = nodes.flatMap((redirect) => readRedirect(redirect, context));
  const given = inputOf(nodes, redirects, context);
  if (words.length === 0) return null;
  return { words, assignments, redirects, input: given ?? around.input, piped: around.piped, detached: around.detached, start: node.start, scope: context.scope };
}

/** Words written without a space between are one word, however the grammar cuts them. */
function groupNeighbours(nodes: readonly ShellNode[]): readonly (readonly ShellNode[])[] {
  const groups: ShellNode[][] = [];
  for (const node of nodes) {
    const group = groups.at(-1);
    if (group !== undefined && group.at(-1)?.end === node.start) group.push(node);
    else groups.push([node]);
  }
  return groups;
}

/** A word in front that expands to nothing is gone, and the next one is the command. */
function withoutEmptyFront(words: readonly ShellWord[]): readonly ShellWord[] {
  const first = words.findIndex((word) => word.text.replaceAll(UNSET, "") !== "" || /["']/.test(word.source));
  if (first <= 0) return first === -1 ? words.slice(0, 1) : words;
  // Kept as a wrapper of unknown name, so that it asks and the rest is judged as well.
  return words.slice(0, first).some((word) => word.text.includes(UNSET)) ? [plainWord(UNKNOWN), ...words.slice(first)] : words.slice(first);
}

function readRedirect(node: ShellNode, context: WordContext): readonly ShellRedirect[] {
  if (node.type !== "file_redirect") return [];
  const operator = node.children.find((child) => !child.named)?.text ?? ">";
  const targets = node.children.filter((child) => child.field === "destination");
  return groupNeighbours(targets).flatMap((group) => expandWord(group, context).map((target) => ({ operator, target })));
}

/** Standard input, when a redirect gives it: the last one wins. */
function inputOf(nodes: readonly ShellNode[], redirects: readonly ShellRedirect[], context: WordContext): ShellOutput | null {
  let input: ShellOutput | null = null;
  for (const node of nodes) {
    if (node.type === "herestring_redirect") {
      const value = node.children.filter((child) => child.named && child.type !== "file_descriptor");
      const { text, origin } = expandText(value, context);
      input = { text: `${text}\n`, origin };
    }
    if (node.type === "heredoc_redirect") input = heredocText(node, context);
  }
  const file = redirects.findLast((redirect) => redirect.operator === "<");
  if (file === undefined) return input;
  if (file.target.text === "/dev/null") return null;
  return file.target.outputs[0] ?? context.scope.files.get(resolvePath(file.target.text, context.scope)) ?? { text: UNKNOWN, origin: "plain" };
}

function heredocText(node: ShellNode, context: WordContext): ShellOutput {
  const body = node.children.find((child) => child.type === "heredoc_body");
  const start = node.children.find((child) => child.type === "heredoc_start")?.text ?? "";
  if (body === undefined) return { text: "", origin: "plain" };
  const output = /['"\\]/.test(start) ? { text: body.text, origin: "plain" as const } : expandBody(body, context);
  return node.text.startsWith("<<-") ? { ...output, text: output.text.replace(/^\t+/gm, "") } : output;
}
