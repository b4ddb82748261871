import { memo, useMemo, useState } from "react";
import { countOf } from "../words/count-words";
import { type AnsiLine, parseAnsi } from "./ansi";
import { PaneMore } from "./pane";
import { tailOf } from "./tail";

interface TerminalTextProps {
  readonly text: string;
  /** How many lines at its end are shown before somebody asks for all. */
  readonly lines: number;
}

/** Terminal output in its colours, from its end. */
export function TerminalText({ text, lines }: TerminalTextProps) {
  const [all, setAll] = useState(false);
  const shown = useMemo(() => (all ? { text, hidden: 0 } : tailOf(text, lines)), [text, lines, all]);
  const drawn = useMemo(() => parseAnsi(shown.text), [shown.text]);
  return (
    <>
      {shown.hidden === 0 ? null : <PaneMore onClick={() => setAll(true)}>{countOf(shown.hidden, "earlier line")}</PaneMore>}
      <pre className="phone:whitespace-pre-wrap">
        {drawn.map((line, index) => (
          <TerminalLine key={index + shown.hidden} line={line} isLast={index === drawn.length - 1} />
        ))}
      </pre>
    </>
  );
}

const TerminalLine = memo(
  function TerminalLine({ line, isLast }: { readonly line: AnsiLine; readonly isLast: boolean }) {
    return (
      <>
        {line.map((piece, index) => (piece.style === "" ? piece.text : <span key={index} className={piece.style}>{piece.text}</span>))}
        {isLast ? null : "\n"}
      </>
    );
  },
  (before, after) =>
    before.isLast === after.isLast &&
    before.line.length === after.line.length &&
    before.line.every((piece, index) => piece.text === after.line[index]?.text && piece.style === after.line[index].style),
);
