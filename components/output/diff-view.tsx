import { memo, useMemo, useState } from "react";
import { countOf } from "../words/count-words";
import { type DiffFile, type DiffLine, parseDiff, SIGN_BY_KIND } from "./diff-model";
import { PaneMore } from "./pane";

interface DiffViewProps {
  readonly diff: string;
  /** Names above each file, where there is more than one or the row does not name it. */
  readonly named: boolean;
}

const SHOWN_LINES = 400;

export function DiffView({ diff, named }: DiffViewProps) {
  const files = useMemo(() => parseDiff(diff), [diff]);
  return (
    <>
      {files.map((file, index) => (
        <DiffFileView key={`${file.path ?? ""}:${index}`} file={file} named={named || files.length > 1} />
      ))}
    </>
  );
}

/** The lines of one file, signs in the gutter, bands from edge to edge. */
export const DiffFileView = memo(function DiffFileView({ file, named }: { readonly file: DiffFile; readonly named: boolean }) {
  const [all, setAll] = useState(false);
  const lines = all ? file.lines : file.lines.slice(0, SHOWN_LINES);
  const hidden = file.lines.length - lines.length;
  return (
    <div className="not-first:mt-3">
      {named && file.path !== null ? <div className="px-[var(--hang)] pb-1 text-blue">{file.path}</div> : null}
      <div className="min-w-max phone:min-w-0">
        {lines.map((line, index) => (
          <DiffLineView key={index} line={line} />
        ))}
      </div>
      {hidden === 0 ? null : (
        <div className="px-[var(--hang)]">
          <PaneMore onClick={() => setAll(true)}>Show {countOf(hidden, "more line")}</PaneMore>
        </div>
      )}
    </div>
  );
});

function DiffLineView({ line }: { readonly line: DiffLine }) {
  return (
    <span className="diff-line" data-kind={line.kind} data-sign={SIGN_BY_KIND[line.kind]}>
      {line.kind === "added" || line.kind === "removed" ? <span className="sr-only">{line.kind}: </span> : null}
      {line.text === "" ? "\u200b" : line.text}
    </span>
  );
}
