/**
 * Shell text to a plain syntax tree, by the Bash grammar of tree-sitter in WebAssembly. The grammar
 * is loaded once per maker, on first use (about 90 ms), then a command takes under a millisecond.
 * The tree is copied into plain objects, so nothing of the WebAssembly memory outlives `parse`.
 *
 * What the grammar cannot read is `broken`, never "harmless": the policy asks. The half-read tree is
 * still handed on, so that the hard floor sees what can be seen.
 */
import { readFile } from "node:fs/promises";
import { Language, Parser, type TreeCursor } from "web-tree-sitter";
import { findPackageFile } from "./find-package-file";

export interface ShellNode {
  readonly type: string;
  readonly text: string;
  /** Offset in the parsed text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly field: string | null;
  readonly named: boolean;
  readonly children: readonly ShellNode[];
}

export interface ShellTree {
  readonly status: "whole" | "broken";
  readonly root: ShellNode;
}

export type ParseShell = (text: string) => ShellTree;

/** Deeper nesting is nothing a person or a model writes; it is answered as broken. */
const MAX_DEPTH = 150;
const MAX_NODES = 200_000;
/** Recovering from many errors takes the parser minutes; real commands need a few milliseconds. */
const MAX_PARSE_MS = 500;

/** A loader that gives the same parser each time. A load that failed is tried again on the next call. */
export function createShellParser(): () => Promise<ParseShell> {
  let loading: Promise<ParseShell> | null = null;
  return () => {
    loading ??= loadParser().catch((cause: unknown) => {
      loading = null;
      throw new Error("The shell grammar could not be loaded.", { cause });
    });
    return loading;
  };
}

async function loadParser(): Promise<ParseShell> {
  const [runtime, grammar] = await Promise.all([
    readPackageFile("web-tree-sitter", "tree-sitter.wasm"),
    readPackageFile("tree-sitter-bash", "tree-sitter-bash.wasm"),
  ]);
  await Parser.init({ wasmBinary: runtime });
  const parser = new Parser().setLanguage(await Language.load(grammar));
  return (text) => parseWith(parser, text);
}

async function readPackageFile(packageName: string, file: string): Promise<Uint8Array> {
  const path = findPackageFile(packageName, file);
  if (path === null) throw new Error(`The file ${file} of the package ${packageName} is not installed.`);
  return readFile(path);
}

function parseWith(parser: Parser, text: string): ShellTree {
  const empty: ShellNode = { type: "program", text, start: 0, end: text.length, field: null, named: true, children: [] };
  const deadline = performance.now() + MAX_PARSE_MS;
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
  if (tree === null) {
    parser.reset();
    return { status: "broken", root: empty };
  }
  try {
    const budget = { nodes: MAX_NODES };
    const root = copyNode(tree.walk(), text, 0, budget);
    if (root === null) return { status: "broken", root: empty };
    return { status: tree.rootNode.hasError ? "broken" : "whole", root };
  } finally {
    tree.delete();
  }
}

/** Null when the tree is too deep or too large to be judged. */
function copyNode(cursor: TreeCursor, text: string, depth: number, budget: { nodes: number }): ShellNode | null {
  budget.nodes -= 1;
  if (depth > MAX_DEPTH || budget.nodes < 0) return null;
  const { nodeType: type, nodeIsNamed: named, currentFieldName: field, startIndex: start, endIndex: end } = cursor;
  const children: ShellNode[] = [];
  if (cursor.gotoFirstChild()) {
    do {
      const child = copyNode(cursor, text, depth + 1, budget);
      if (child === null) return null;
      children.push(child);
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }
  return { type, text: text.slice(start, end), start, end, field, named, children };
}
