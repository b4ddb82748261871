import { useMemo, useState } from "react";
import { HighlightedLine } from "../markdown/code-block";
import { languageOfPath } from "../markdown/code-grammars";
import { createHighlighter } from "../markdown/highlight";
import { countOf } from "../words/count-words";
import { PaneMore } from "./pane";

interface FileViewProps {
  readonly path: string;
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** Lines shown before somebody asks for the rest. */
  readonly shown: number;
}

/** Lines of a file with their numbers and colours. Numbers are not selected with the text. */
export function FileView({ path, firstLine, lines, shown }: FileViewProps) {
  const [all, setAll] = useState(false);
  const highlight = useMemo(() => createHighlighter(languageOfPath(path)), [path]);
  const visible = all ? lines : lines.slice(0, shown);
  const drawn = useMemo(() => highlight(visible.join("\n")), [highlight, visible]);
  const width = String(firstLine + lines.length - 1).length;
  return (
    <>
      <pre className="[tab-size:2] phone:whitespace-pre-wrap">
        {drawn.map((line, index) => (
          <span key={index}>
            <span aria-hidden="true" className="text-faint select-none">
              {String(firstLine + index).padStart(width)}
              {"  "}
            </span>
            <HighlightedLine line={line} isLast={index === drawn.length - 1} />
          </span>
        ))}
      </pre>
      {visible.length === lines.length ? null : (
        <PaneMore onClick={() => setAll(true)}>Show {countOf(lines.length - visible.length, "more line")}</PaneMore>
      )}
    </>
  );
}
