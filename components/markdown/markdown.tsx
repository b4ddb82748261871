/**
 * An answer's markdown. Raw HTML is text, never an element (no raw plugin is loaded); links follow
 * `safeAddress`; pictures from elsewhere are links, so that reading an answer asks no server for
 * anything. `$` is money: there is no formula plugin.
 */
import { type ComponentProps, memo } from "react";
import { type Components, defaultRemarkPlugins, type ExtraProps, Streamdown } from "streamdown";
import { CodeBlock } from "./code-block";
import { CARET_MARK, holdBack } from "./hold-back";
import { drawCaret, endLinksAtCjkPunctuation, safeAddress, textOf, type TreeNode } from "./markdown-plugins";
import { TableBlock } from "./table-block";

const REMARK_PLUGINS = [...Object.values(defaultRemarkPlugins), endLinksAtCjkPunctuation];
const REHYPE_PLUGINS = [drawCaret];

function AnswerLink({ node: _node, href, children, title }: ComponentProps<"a"> & ExtraProps) {
  const address = safeAddress(href);
  if (address === null) return <span>{children}</span>;
  return (
    <a href={address} title={title ?? address} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

function AnswerImage({ node: _node, src, alt }: ComponentProps<"img"> & ExtraProps) {
  const address = typeof src === "string" ? safeAddress(src) : null;
  const label = alt === undefined || alt === "" ? "Picture" : alt;
  return address === null ? <span>{label}</span> : <AnswerLink href={address}>{label}</AnswerLink>;
}

function AnswerFence({ node }: ComponentProps<"pre"> & ExtraProps) {
  const code = codeNode(node);
  if (code === null) return null;
  const text = textOf(code);
  return <CodeBlock code={text.endsWith("\n") ? text.slice(0, -1) : text} language={languageOf(code)} />;
}

function codeNode(node: TreeNode | undefined): TreeNode | null {
  return node?.children?.find((child) => child.tagName === "code") ?? null;
}

function languageOf(code: TreeNode): string {
  const names: unknown = code.properties?.["className"];
  const name = Array.isArray(names) ? names.find((entry) => typeof entry === "string" && entry.startsWith("language-")) : undefined;
  return typeof name === "string" ? name.slice("language-".length).replace(CARET_MARK, "") : "";
}

/** A code element that has no fence around it. Plain tags elsewhere: the page's own rules draw them. */
const COMPONENTS: Components = {
  a: AnswerLink,
  img: AnswerImage,
  pre: AnswerFence,
  table: TableBlock,
  code: "code",
  h1: "h3",
  h2: "h3",
  h3: "h4",
  h4: "h5",
  h5: "h6",
  h6: "h6",
  p: "p",
  ul: "ul",
  ol: "ol",
  li: "li",
  strong: "strong",
  blockquote: "blockquote",
  hr: "hr",
  thead: "thead",
  tbody: "tbody",
  tr: "tr",
  th: "th",
  td: "td",
  sup: "sup",
  sub: "sub",
  section: "section",
};

interface MarkdownProps {
  readonly text: string;
  /** Still being written: the end is held until it is settled, and a caret stands there. */
  readonly live: boolean;
}

export const Markdown = memo(function Markdown({ text, live }: MarkdownProps) {
  return (
    <div className="answer">
      <Streamdown
        components={COMPONENTS}
        remarkPlugins={REMARK_PLUGINS}
        rehypePlugins={REHYPE_PLUGINS}
        parseIncompleteMarkdown={live}
        controls={false}
      >
        {live ? holdBack(text) + CARET_MARK : text}
      </Streamdown>
    </div>
  );
});
