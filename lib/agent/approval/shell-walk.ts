/**
 * Reads a syntax tree in the order in which a shell would run it and hands each simple command, with
 * its words expanded and its input known as far as can be, to `run`. Branches are all read: what may
 * run is judged as if it did.
 */
import { simpleCommand, type CommandParts } from "./simple-command";
import type { PatternKey } from "./patterns";
import type { ShellCommand } from "./shell-command";
import type { ShellNode } from "./shell-parse";
import { forgetChanged, joinOutputs, SPLIT, subshellScope, UNKNOWN, type ShellOutput, type ShellScope } from "./shell-scope";
import { expandArray, expandText, expandWord, substituteInside, type WordContext } from "./shell-word";

/** What surrounds a statement. */
export interface Flow {
  readonly input: ShellOutput | null;
  readonly piped: boolean;
  readonly detached: boolean;
}

export const PLAIN_FLOW: Flow = { input: null, piped: false, detached: false };

export interface ShellReader {
  /** Counts one statement; false when the command is too much to read. */
  readonly spend: () => boolean;
  readonly run: (command: ShellCommand) => ShellOutput;
  readonly read: (text: string, scope: ShellScope) => ShellOutput;
  /** A variable is set for all that follows. */
  readonly setVariable: (name: string, value: string, scope: ShellScope) => void;
  readonly report: (key: PatternKey) => void;
  readonly defineFunction: (name: string, body: ShellNode, scope: ShellScope) => void;
}

const SILENT: ShellOutput = { text: "", origin: "plain" };
const MAX_ROUNDS = 16;
/** `declare` and `unset` evaluate the brackets of a name that is quoted, too. */
const HIDDEN_IN_QUOTES = /'[^']*\[[^']*(?:\$\(|`)/;

type Walk = (node: ShellNode, scope: ShellScope, flow: Flow, reader: ShellReader) => ShellOutput;

const WALK_BY_TYPE: Readonly<Record<string, Walk>> = {
  program: walkSequence,
  do_group: walkSequence,
  else_clause: walkSequence,
  elif_clause: walkSequence,
  negated_command: walkSequence,
  list: walkSequence,
  ERROR: walkSequence,
  compound_statement: (node, scope, flow, reader) => (node.children[0]?.type === "((" ? walkValues(node, scope, flow, reader) : walkSequence(node, scope, flow, reader)),
  subshell: (node, scope, flow, reader) => walkSequence(node, subshellScope(scope), flow, reader),
  command: (node, scope, flow, reader) => walkCommand(node, scope, flow, reader, { redirects: [], more: [] }),
  redirected_statement: walkRedirected,
  pipeline: (node, scope, flow, reader) => walkPipeline(node, scope, flow, reader, flow.input),
  if_statement: walkBranches,
  case_statement: walkBranches,
  case_item: walkSequence,
  while_statement: walkLoop,
  c_style_for_statement: walkLoop,
  for_statement: walkFor,
  function_definition: (node, scope, _flow, reader) => {
    const name = node.children.find((child) => child.field === "name")?.text;
    const body = node.children.find((child) => child.field === "body");
    if (name !== undefined && body !== undefined) reader.defineFunction(name, body, scope);
    return SILENT;
  },
  variable_assignment: (node, scope, flow, reader) => {
    assign(node, contextOf(scope, flow, reader), reader);
    return SILENT;
  },
  variable_assignments: walkSequence,
  declaration_command: (node, scope, flow, reader) => {
    for (const child of node.children) {
      if (child.type === "variable_assignment") assign(child, contextOf(scope, flow, reader), reader);
      else substituteInside(child, contextOf(scope, flow, reader));
    }
    if (HIDDEN_IN_QUOTES.test(node.text)) reader.report("command hidden in an option");
    // Behind a name that stands for another variable any of them can change.
    if (/^(?:declare|local|typeset)\s+-[a-zA-Z]*n/.test(node.text)) forgetChanged(scope, new Map());
    return SILENT;
  },
  unset_command: (node, scope, _flow, reader) => {
    if (HIDDEN_IN_QUOTES.test(node.text)) reader.report("command hidden in an option");
    for (const child of node.children) scope.variables.delete(child.text);
    return SILENT;
  },
};

export function walkStatement(node: ShellNode, scope: ShellScope, flow: Flow, reader: ShellReader): ShellOutput {
  if (!reader.spend()) return { text: UNKNOWN, origin: "plain" };
  return (WALK_BY_TYPE[node.type] ?? walkValues)(node, scope, flow, reader);
}

/** Tests and arithmetic run nothing themselves, but the `$(…)` inside them does. */
function walkValues(node: ShellNode, scope: ShellScope, flow: Flow, reader: ShellReader): ShellOutput {
  substituteInside({ ...node, children: [node] }, contextOf(scope, flow, reader));
  return SILENT;
}

function walkSequence(node: ShellNode, scope: ShellScope, flow: Flow, reader: ShellReader): ShellOutput {
  const outputs = node.children.flatMap((child, position) => {
    if (!child.named) return [];
    const detached = flow.detached || node.children[position + 1]?.type === "&";
    return [walkStatement(child, scope, { ...flow, detached }, reader)];
  });
  return joinOutputs(outputs);
}

function walkBranches(node: ShellNode, scope: ShellScope, flow: Flow, reader: ShellReader): ShellOutput {
  const before = new Map(scope.variables);
  const output = walkSequence(node, scope, { ...flow, piped: false }, reader);
  forgetChanged(scope, before);
  return output;
}

/** A second round sees what the first one changed. */
function walkLoop(node: ShellNode, scope: ShellScope, flow: Flow, reader: ShellReader): ShellOutput {
  const before = new Map(scope.variables);
  const inner = { ...flow, piped: false };
  const output = walkSequence(node, scope, inner, reader);
  const sizeBefore = [...scope.variables].filter(([name, value]) => before.get(name) !== value).length;
  forgetChanged(scope, before);
  return sizeBefore === 0 ? output : joinOutputs([output, walkSequence(node, scope, inner, reader)]);
}

function walkFor(node: ShellNode, scope: ShellScope, flow: Flow, reader: ShellReader): ShellOutput {
  const name = node.children.find((child) => child.field === "variable")?.text ?? "";
  const body = node.children.find((child) => child.field === "body");
  const listed = node.children.filter((child) => child.field === "value").flatMap((child) => expandWord([child], contextOf(scope, flow, reader)).map((word) => word.text));
  const values = node.children.some((child) => child.type === "in") ? listed : (scope.parameters ?? [UNKNOWN]);
  const before = new Map(scope.variables);
  const outputs = (values.length > MAX_ROUNDS ? [...values.slice(0, MAX_ROUNDS), UNKNOWN] : values).map((value) => {
    scope.variables.set(name, value);
    return body === undefined ? SILENT : walkSequence(body, scope, { ...flow, piped: false }, reader);
  });
  forgetChanged(scope, before);
  return joinOutputs(outputs);
}

function walkPipeline(node: ShellNode, scope: ShellScope, flow: Flow, reader: ShellReader, first: ShellOutput | null): ShellOutput {
  let output = first;
  for (const stage of node.children.filter((child) => child.named)) {
    output = walkStatement(stage, subshellScope(scope), { ...flow, input: output, piped: true }, reader);
  }
  return output ?? SILENT;
}

function walkCommand(node: ShellNode, scope: ShellScope, flow: Flow, reader: ShellReader, parts: CommandParts): ShellOutput {
  const command = simpleCommand(node, parts, flow, contextOf(scope, flow, reader));
  for (const child of node.children.filter((candidate) => candidate.type === "subshell")) walkStatement(child, scope, flow, reader);
  if (command === null) {
    for (const child of node.children.filter((candidate) => candidate.type === "variable_assignment")) assign(child, contextOf(scope, flow, reader), reader);
    return SILENT;
  }
  return reader.run(command);
}

/** A here-document carries in its node whatever followed it on its first line. */
function walkRedirected(node: ShellNode, scope: ShellScope, flow: Flow, reader: ShellReader): ShellOutput {
  const heredocs = node.children.filter((child) => child.type === "heredoc_redirect");
  const inHeredocs = heredocs.flatMap((heredoc) => heredoc.children);
  const redirects = [...node.children, ...inHeredocs].filter((child) => /^(?:file|herestring|heredoc)_redirect$/.test(child.type));
  const more = inHeredocs.filter((child) => child.field === "argument");
  const body = node.children.find((child) => child.field === "body");
  let output = walkBody(body, scope, flow, reader, { redirects, more }, node.start);
  for (const child of inHeredocs) {
    if (child.type === "pipeline") output = walkPipeline(child, scope, { ...flow, input: output }, reader, output);
    if (child.field === "right") output = joinOutputs([output, walkStatement(child, scope, flow, reader)]);
  }
  return output;
}

function walkBody(body: ShellNode | undefined, scope: ShellScope, flow: Flow, reader: ShellReader, parts: CommandParts, start: number): ShellOutput {
  if (body?.type === "command") return walkCommand(body, scope, flow, reader, parts);
  // The redirects of a group or loop: judged on a command that does nothing else.
  const nothing: ShellNode = { type: "command", text: ":", start, end: start, field: null, named: true, children: [] };
  const carrier = simpleCommand(nothing, parts, flow, contextOf(scope, flow, reader), ":");
  if (body === undefined) return carrier === null ? SILENT : reader.run(carrier);
  const output = walkStatement(body, scope, { ...flow, input: carrier?.input ?? flow.input }, reader);
  if (carrier !== null) reader.run({ ...carrier, input: output });
  return output;
}

function assign(node: ShellNode, context: WordContext, reader: ShellReader): void {
  const target = node.children.find((child) => child.field === "name");
  const value = node.children.find((child) => child.field === "value");
  if (target === undefined) return;
  substituteInside(target, context);
  const name = target.type === "subscript" ? (target.children[0]?.text ?? "") : target.text;
  const text = valueOf(value, context);
  const appended = node.children.some((child) => child.type === "+=");
  reader.setVariable(name, text, context.scope);
  const before = context.scope.variables.get(name) ?? "";
  if (target.type === "subscript") context.scope.variables.set(name, UNKNOWN);
  else context.scope.variables.set(name, appended ? before + (value?.type === "array" && before !== "" ? SPLIT : "") + text : text);
}

function valueOf(value: ShellNode | undefined, context: WordContext): string {
  if (value === undefined) return "";
  return value.type === "array" ? expandArray(value, context) : expandText([value], context).text;
}

/** Substitutions run in a subshell; what goes into `>(…)` is what the statement reads. */
function contextOf(scope: ShellScope, flow: Flow, reader: ShellReader): WordContext {
  return {
    scope,
    substituteText: (text) => reader.read(text, subshellScope(scope)),
    substitute: (node) => {
      const input = node.text.startsWith(">(") ? (flow.input ?? { text: UNKNOWN, origin: "plain" as const }) : null;
      const inner = subshellScope(scope);
      const file = node.children.find((child) => child.field === "redirect");
      const statements = node.children.filter((child) => child.named && child.field !== "redirect");
      const walked = statements.map((child) => walkStatement(child, inner, { input, piped: false, detached: false }, reader));
      return file !== undefined && statements.length === 0 ? { text: UNKNOWN, origin: "plain" } : joinOutputs(walked);
    },
  };
}
