/**
 * What is done to an answer's tree between markdown and the page. Trees are walked by hand over the
 * few fields that matter here, so no package of their own types is needed.
 *
 * Links: only http, https and mailto survive; a bare address ends before CJK punctuation (B230).
 * Caret: the mark that `holdBack`'s caller puts at the end of a live text becomes the caret element.
 */
import { CARET_MARK } from "./hold-back";

export interface TreeNode {
  type: string;
  value?: string;
  url?: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: TreeNode[];
}

const SAFE_PROTOCOL = /^(?:https?|mailto):/i;
// Browsers drop these inside an address, so `java\nscript:` is `javascript:`.
// eslint-disable-next-line no-control-regex
const IGNORED_IN_ADDRESS = /[\u0000-\u0020\u007f-\u00a0]/g;

/** The address when a press on it may follow it, else null (javascript:, data:, file:, relative ones). */
export function safeAddress(address: string | undefined): string | null {
  if (address === undefined) return null;
  return SAFE_PROTOCOL.test(address.replace(IGNORED_IN_ADDRESS, "")) ? address : null;
}

const CJK_PUNCTUATION = /[\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\u2018-\u201d]/;

/** Splits bare addresses that swallowed CJK punctuation: the rest is text again. */
export function endLinksAtCjkPunctuation(): (tree: TreeNode) => void {
  return (tree) => splitLinks(tree);
}

function splitLinks(node: TreeNode): void {
  const { children } = node;
  if (children === undefined) return;
  node.children = children.flatMap((child) => {
    splitLinks(child);
    return splitLink(child);
  });
}

function splitLink(node: TreeNode): TreeNode[] {
  const [label] = node.children ?? [];
  if (node.type !== "link" || node.children?.length !== 1 || label?.type !== "text" || label.value === undefined) return [node];
  const end = label.value.search(CJK_PUNCTUATION);
  const isBare = node.url === label.value || node.url === `http://${label.value}` || node.url === `mailto:${label.value}`;
  if (end <= 0 || !isBare) return [node];
  const shown = label.value.slice(0, end);
  const address = (node.url ?? "").slice(0, (node.url ?? "").length - (label.value.length - end));
  return [{ ...node, url: address, children: [{ ...label, value: shown }] }, ...linkedRest(label.value.slice(end))];
}

const BARE_ADDRESS = new RegExp(`https?://(?:(?!${CJK_PUNCTUATION.source})\\S)*(?:(?!${CJK_PUNCTUATION.source})[\\p{L}\\p{N}/=&#_-])`, "gu");

/** The text behind a cut address may hold the next one, which the first had swallowed as well. */
function linkedRest(rest: string): TreeNode[] {
  const nodes: TreeNode[] = [];
  let last = 0;
  for (const match of rest.matchAll(BARE_ADDRESS)) {
    nodes.push(text(rest.slice(last, match.index)), { type: "link", url: match[0], children: [text(match[0])] });
    last = match.index + match[0].length;
  }
  return [...nodes, text(rest.slice(last))].filter((node) => node.value !== "");
}

/** Puts the caret where its mark stands; code blocks draw their own. */
export function drawCaret(): (tree: TreeNode) => void {
  return (tree) => placeCaret(tree);
}

function placeCaret(node: TreeNode): void {
  const { children } = node;
  if (children === undefined || node.tagName === "pre") return;
  node.children = children.flatMap((child) => {
    placeCaret(child);
    const { value } = child;
    if (child.type !== "text" || value === undefined || !value.includes(CARET_MARK)) return [child];
    const [before = "", after = ""] = value.split(CARET_MARK);
    const caret: TreeNode = { type: "element", tagName: "span", properties: { className: ["caret"], ariaHidden: "true" }, children: [] };
    return [text(before), caret, text(after)].filter((piece) => piece.value !== "");
  });
}

function text(value: string): TreeNode {
  return { type: "text", value };
}

/** All text below a node. */
export function textOf(node: TreeNode): string {
  if (node.value !== undefined) return node.value;
  return (node.children ?? []).map(textOf).join("");
}
