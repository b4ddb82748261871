/**
 * One word of a command as the shell would see it: quotes and escapes gone, variables, home path,
 * braces and `$(…)` put in as far as reading tells. One written word can become several.
 * `substitute` is asked once for each `$(…)`, `` `…` `` and `<(…)`, in order.
 */
import { decodeEscapes, expandHome } from "./normalise";
import { expandParameter } from "./parameter-expansion";
import type { ShellNode } from "./shell-parse";
import { QUOTED, readVariable, SPLIT, UNKNOWN, UNSET, type ShellOutput, type ShellScope } from "./shell-scope";

export interface ShellWord {
  /** May hold `UNKNOWN` and `UNSET`. */
  readonly text: string;
  /** As it is written. */
  readonly source: string;
  /** What the substitutions inside it print. */
  readonly outputs: readonly ShellOutput[];
}

export type Substitute = (node: ShellNode) => ShellOutput;

export interface WordContext {
  readonly scope: ShellScope;
  readonly substitute: Substitute;
  /** The same for a command that the grammar left inside literal text, as it does in here-documents. */
  readonly substituteText: (text: string) => ShellOutput;
}

export function plainWord(text: string): ShellWord {
  return { text, source: text, outputs: [] };
}

export function isKnown(word: ShellWord): boolean {
  return !word.text.includes(UNKNOWN) && !word.text.includes(UNSET);
}

const MAX_WORDS = 256;

/** The words that these neighbouring nodes (written without a space between) become. */
export function expandWord(nodes: readonly ShellNode[], context: WordContext): readonly ShellWord[] {
  const { raw, outputs } = expandNodes(nodes, context);
  const source = nodes.map((node) => node.text).join("");
  const separators = new RegExp(`[${SPLIT}]+`, "u");
  const texts = expandBraces(raw)
    .map((text) => expandHome(text, context.scope.place.home, context.scope.workingFolder))
    .flatMap((text) => (text.includes(SPLIT) ? text.split(separators).filter((part) => part !== "") : [text]));
  return texts.slice(0, MAX_WORDS).map((text) => ({ text: unmask(text), source, outputs }));
}

/** The one text of an assignment's value, a here-string or a here-document: never split. */
export function expandText(nodes: readonly ShellNode[], context: WordContext): ShellOutput {
  const { raw, outputs } = expandNodes(nodes, context);
  const text = unmask(expandHome(raw, context.scope.place.home, context.scope.workingFolder).replaceAll(SPLIT, " "));
  return { text, origin: outputs.some((output) => output.origin === "remote") ? "remote" : (outputs[0]?.origin ?? "plain") };
}

/** Values with their word borders kept: what an array or `"$@"` is stored as. */
export function expandArray(node: ShellNode, context: WordContext): string {
  const elements = node.children.filter((child) => child.named);
  return elements.flatMap((element) => expandWord([element], context).map((word) => word.text)).join(SPLIT);
}

/** A here-document's body, whose literal pieces are the gaps between its child nodes. */
export function expandBody(node: ShellNode, context: WordContext): ShellOutput {
  const { collecting, outputs } = collect(context);
  const raw = withGaps(node, (child) => expandNode(child, collecting, true), (gap) => literal(gap, collecting, (text) => text.replace(/\\([$`\\])/g, "$1")));
  return { text: unmask(raw.replaceAll(SPLIT, " ")), origin: outputs.some((output) => output.origin === "remote") ? "remote" : "plain" };
}

function expandNodes(nodes: readonly ShellNode[], context: WordContext): { raw: string; outputs: readonly ShellOutput[] } {
  const { collecting, outputs } = collect(context);
  return { raw: expandPieces(nodes.flatMap(piecesOf), collecting), outputs };
}

function collect(context: WordContext): { collecting: WordContext; outputs: readonly ShellOutput[] } {
  const outputs: ShellOutput[] = [];
  const keep = (output: ShellOutput): ShellOutput => {
    outputs.push(output);
    return output;
  };
  const collecting: WordContext = {
    scope: context.scope,
    substitute: (node) => keep(context.substitute(node)),
    substituteText: (text) => keep(context.substituteText(text)),
  };
  return { collecting, outputs };
}

function piecesOf(node: ShellNode): readonly ShellNode[] {
  return node.type === "concatenation" || node.type === "command_name" ? node.children.flatMap(piecesOf) : [node];
}

function expandPieces(pieces: readonly ShellNode[], context: WordContext): string {
  return pieces.map((piece, position) => expandPiece(piece, pieces[position - 1], pieces[position + 1], context)).join("");
}

const AFTER_DOLLAR = /^(?:[A-Za-z_]\w*|[0-9@*])/;

/** The grammar leaves `$"…"`, `$9x` and some `$NAME` in two: a lone dollar and what follows it. */
function expandPiece(node: ShellNode, before: ShellNode | undefined, after: ShellNode | undefined, context: WordContext): string {
  if (isLoneDollar(node) && after !== undefined && (after.text.startsWith('"') || AFTER_DOLLAR.test(after.text))) return "";
  const name = before !== undefined && isLoneDollar(before) ? AFTER_DOLLAR.exec(node.text)?.[0] : undefined;
  if (name === undefined) return expandNode(node, context, false);
  return fields(readVariable(context.scope, name), context.scope, false) + expandNode({ ...node, text: node.text.slice(name.length) }, context, false);
}

function isLoneDollar(node: ShellNode): boolean {
  return !node.named && node.type === "$";
}

type Expand = (node: ShellNode, context: WordContext, quoted: boolean) => string;

const EXPAND_BY_TYPE: Readonly<Record<string, Expand>> = {
  word: (node, context) => literal(node.text, context, unescapeWord),
  extglob_pattern: (node, context) => literal(node.text, context, unescapeWord),
  regex: (node, context) => literal(node.text, context, unescapeWord),
  heredoc_content: (node, context) => literal(node.text, context, (text) => text.replace(/\\([$`\\])/g, "$1")),
  raw_string: (node) => mask(node.text.replace(/^'|'$/g, "")),
  ansi_c_string: (node) => mask(decodeEscapes(node.text.replace(/^\$'|'$/g, ""))),
  string: (node, context) => expandString(node, context),
  translated_string: (node, context) => node.children.map((child) => (child.named ? expandNode(child, context, true) : "")).join(""),
  concatenation: (node, context, quoted) => expandConcatenation(node, context, quoted),
  command_name: (node, context, quoted) => expandConcatenation(node, context, quoted),
  simple_expansion: (node, context, quoted) => fields(readVariable(context.scope, node.text.slice(1)), context.scope, quoted),
  expansion: (node, context, quoted) => {
    const subscript = node.children.find((child) => child.type === "subscript");
    if (subscript !== undefined) substituteInside(subscript, context);
    const expandInner = (children: readonly ShellNode[]): string => unmask(children.map((child) => expandNode(child, context, true)).join(""));
    return fields(expandParameter(node, context.scope, expandInner), context.scope, quoted);
  },
  command_substitution: (node, context, quoted) => fields(context.substitute(node).text.replace(/\n+$/, ""), context.scope, quoted),
  process_substitution: (node, context) => {
    context.substitute(node);
    return UNKNOWN;
  },
  arithmetic_expansion: (node, context) => {
    substituteInside(node, context);
    return UNKNOWN;
  },
  array: (node, context) => expandArray(node, context),
};

function expandNode(node: ShellNode, context: WordContext, quoted: boolean): string {
  const expand = EXPAND_BY_TYPE[node.type];
  if (expand !== undefined) return expand(node, context, quoted);
  if (node.type === "``") return "";
  if (node.children.length > 0) return withGaps(node, (child) => expandNode(child, context, quoted), (gap) => gap);
  return quoted ? mask(node.text) : unescapeWord(node.text);
}

function expandConcatenation(node: ShellNode, context: WordContext, quoted: boolean): string {
  return quoted ? node.children.map((child) => expandNode(child, context, true)).join("") : expandPieces(piecesOf(node), context);
}

function expandString(node: ShellNode, context: WordContext): string {
  const inner: ShellNode = { ...node, text: node.text.slice(1, -1), start: node.start + 1, end: node.end - 1, children: node.children.filter(isInsideString) };
  return withGaps(
    inner,
    (child) => (child.type === "string_content" ? literal(child.text, context, literalInString) : expandNode(child, context, true)),
    (gap) => literal(gap, context, literalInString),
  );
}

function isInsideString(child: ShellNode): boolean {
  return child.named || child.type !== '"';
}

function literalInString(text: string): string {
  return mask(text.replace(/\\([$`"\\])/g, "$1").replace(/\\\n/g, ""));
}

/** The node's text with each child replaced, the pieces between children passed through `gap`. */
function withGaps(node: ShellNode, replace: (child: ShellNode) => string, gap: (text: string) => string): string {
  let result = "";
  let position = node.start;
  for (const child of node.children) {
    result += gap(node.text.slice(position - node.start, child.start - node.start)) + replace(child);
    position = child.end;
  }
  return result + gap(node.text.slice(position - node.start));
}

/** Runs every substitution below a node whose own value is not followed. */
export function substituteInside(node: ShellNode, context: WordContext): void {
  for (const child of node.children) {
    if (child.type === "command_substitution" || child.type === "process_substitution") context.substitute(child);
    else if (child.children.length === 0 && child.named && child.type !== "raw_string") literal(child.text, context, (text) => text);
    else substituteInside(child, context);
  }
}

const HIDDEN_COMMAND = /\\[\s\S]|`((?:\\[\s\S]|[^`\\])*)`|\$\(((?:[^()]|\([^()]*\))*)\)/g;

/** Literal text, with the commands in it that the grammar took for text. */
function literal(text: string, context: WordContext, unescape: (text: string) => string): string {
  if (!/`|\$\(/.test(text)) return unescape(text);
  let result = "";
  let position = 0;
  for (const match of text.matchAll(HIDDEN_COMMAND)) {
    const [whole, backquoted, bracketed] = match;
    if (backquoted === undefined && bracketed === undefined) continue;
    const command = bracketed ?? (backquoted ?? "").replace(/\\([`$\\])/g, "$1");
    result += unescape(text.slice(position, match.index)) + mask(context.substituteText(command).text.replace(/\n+$/, ""));
    position = match.index + whole.length;
  }
  return result + unescape(text.slice(position));
}

function unescapeWord(text: string): string {
  return text.replace(/\\([\s\S])/g, (_whole, letter: string) => (letter === "\n" ? "" : mask(letter)));
}

/** An unquoted value is split at IFS; no value is read for braces or a home path again. */
function fields(value: string, scope: ShellScope, quoted: boolean): string {
  if (quoted) return mask(value);
  const separators = new Set([...(scope.variables.get("IFS") ?? " \t\n")]);
  return mask([...value].map((character) => (separators.has(character) ? SPLIT : character)).join(""));
}

function mask(text: string): string {
  return text.replace(/[{},~]/g, (sign) => QUOTED[sign] ?? sign);
}

function unmask(text: string): string {
  return Object.entries(QUOTED).reduce((result, [sign, marked]) => result.replaceAll(marked, sign), text);
}

const MAX_GROUPS = 6;

/** `a{b,c}` as `ab`, `ac`, also nested; `{x..y}` only tells that it is something. */
function expandBraces(text: string): readonly string[] {
  let texts: readonly string[] = [text];
  for (let round = 0; round < MAX_GROUPS && texts.some((candidate) => innermostList(candidate) !== null); round += 1) {
    texts = texts.flatMap(expandOneList).slice(0, MAX_WORDS);
  }
  return texts.map((candidate) => candidate.replace(/\{[^{},]*\.\.[^{},]*\}/g, UNKNOWN) + (innermostList(candidate) === null ? "" : UNKNOWN));
}

function expandOneList(text: string): readonly string[] {
  const group = innermostList(text);
  return group === null ? [text] : group.items.slice(0, MAX_WORDS).map((item) => group.before + item + group.after);
}

function innermostList(text: string): { before: string; items: readonly string[]; after: string } | null {
  const match = /\{([^{}]*,[^{}]*)\}/.exec(text);
  if (match === null || text[match.index - 1] === "$") return null;
  return { before: text.slice(0, match.index), items: (match[1] ?? "").split(","), after: text.slice(match.index + match[0].length) };
}
