import { type KeyboardEvent, useEffect, useRef } from "react";

interface FileTextProps {
  readonly path: string;
  readonly text: string;
  /** The line to begin at, from 1; null for none. */
  readonly line: number | null;
  readonly onText: (text: string) => void;
  readonly onKey: (event: KeyboardEvent) => void;
}

/** The field of a text file. Long lines scroll, as code does. */
export function FileText({ path, text, line, onText, onKey }: FileTextProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (field.current !== null && line !== null) showLine(field.current, line);
  }, [line]);
  return (
    <textarea
      ref={field}
      aria-label={`Text of ${path}`}
      value={text}
      spellCheck={false}
      wrap="off"
      onChange={(event) => onText(event.target.value)}
      onKeyDown={onKey}
      className="min-h-60 w-full flex-1 resize-none rounded-xl bg-sunk p-3 text-code mono outline-offset-[-2px] thin-scroll [tab-size:2] touch:text-16"
    />
  );
}

const LINES_ABOVE = 3;

/** Selects the line, with a few before it in view. */
function showLine(field: HTMLTextAreaElement, line: number): void {
  const lines = field.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, before) => sum + before.length + 1, 0);
  const end = start + (lines[line - 1]?.length ?? 0);
  field.focus({ preventScroll: true });
  field.setSelectionRange(start, end);
  field.scrollTop = Math.max(0, line - 1 - LINES_ABOVE) * Number.parseFloat(getComputedStyle(field).lineHeight);
}
