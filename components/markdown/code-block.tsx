import { memo, useMemo } from "react";
import { CopyButton } from "../look/copy-button";
import { CARET_MARK } from "./hold-back";
import { type CodeLine, createHighlighter } from "./highlight";

interface CodeBlockProps {
  /** May hold the caret's mark while it streams. */
  readonly code: string;
  readonly language: string;
}

/**
 * A fence in an answer. Drawn as code from its first character on; the `code` element is made once
 * and only its lines change (B221).
 */
export function CodeBlock({ code, language }: CodeBlockProps) {
  const highlight = useMemo(() => createHighlighter(language), [language]);
  const isLive = code.includes(CARET_MARK);
  const plain = isLive ? code.replace(CARET_MARK, "") : code;
  const lines = highlight(plain);
  return (
    <div className="hang group/code relative overflow-hidden rounded-xl bg-sunk" data-edge="">
      <CopyButton
        text={() => plain}
        className="absolute top-1.5 right-1.5 z-1 bg-sunk text-faint touch:top-0 touch:right-0 touch:bg-transparent"
      />
      <pre className="overflow-x-auto py-3 text-code thin-scroll mono [tab-size:2] phone:[overflow-wrap:anywhere] phone:whitespace-pre-wrap">
        <code {...(language === "" ? {} : { "data-language": language })}>
          {lines.map((line, index) => (
            <HighlightedLine key={index} line={line} isLast={index === lines.length - 1} />
          ))}
          {isLive ? <span className="caret" aria-hidden="true" /> : null}
        </code>
      </pre>
    </div>
  );
}

/** One line with its break; unchanged lines keep their identity and are not drawn again. */
export const HighlightedLine = memo(function HighlightedLine({ line, isLast }: { readonly line: CodeLine; readonly isLast: boolean }) {
  return (
    <>
      {line.map((piece, index) => (piece.style === "" ? piece.text : <span key={index} className={piece.style}>{piece.text}</span>))}
      {isLast ? null : "\n"}
    </>
  );
});
