import { File, Folder, Search, X } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { Icon } from "../look/icon";
import { IconButton } from "../look/icon-button";
import { Ring } from "../look/ring";
import { countOf } from "../words/count-words";
import { type FoundFile, foundWords, splitAtMatch } from "./found-files";

export type FileSearchState =
  | { readonly kind: "idle" }
  | { readonly kind: "searching" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "found"; readonly files: readonly FoundFile[]; readonly truncated: boolean };

interface SearchFieldProps {
  readonly words: string;
  readonly onWords: (words: string) => void;
  /** Down and Enter leave the field for what was found. */
  readonly onEnter: () => void;
  readonly onDown: () => void;
}

export function SearchField({ words, onWords, onEnter, onDown }: SearchFieldProps) {
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") onDown();
    else if (event.key === "Enter") onEnter();
    else if (event.key === "Escape" && words !== "") onWords("");
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="relative min-w-0 flex-1">
      <Icon of={Search} size={14} className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-faint" />
      <input
        type="search"
        aria-label="Search files"
        placeholder="Search files"
        value={words}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onWords(event.target.value)}
        onKeyDown={onKey}
        className="h-8 w-full rounded-lg border border-line bg-raised pr-8 pl-8 text-13 touch:h-11 touch:pr-11 touch:text-16 [&::-webkit-search-cancel-button]:hidden"
      />
      {words === "" ? null : <IconButton size={24} iconSize={14} label="Clear the search" icon={X} onClick={() => onWords("")} className="absolute top-1 right-1 touch:top-0 touch:right-0" />}
    </div>
  );
}

interface FoundListProps {
  readonly state: FileSearchState;
  readonly words: string;
  /** `line` null: the file as a whole. */
  readonly onOpen: (file: FoundFile, line: number | null) => void;
  /** Up from the first hit. */
  readonly onLeave: () => void;
}

const HIT = "flex min-h-7 w-full items-start gap-2 rounded-md px-2 py-1 text-left outline-offset-[-2px] hover:bg-fill touch:min-h-11";

/** Files by name and by what stands in them; arrows walk through the hits. */
export function FoundList({ state, words, onOpen, onLeave }: FoundListProps) {
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const hits = Array.from(list.current?.querySelectorAll<HTMLElement>("[data-hit]") ?? []);
    const next = hits[hits.findIndex((hit) => hit === document.activeElement) + (event.key === "ArrowDown" ? 1 : -1)];
    if (next !== undefined) next.focus();
    else if (event.key === "ArrowUp") onLeave();
  };
  if (state.kind === "idle") return null;
  return (
    <div ref={list}>
      <p role="status" className="flex min-h-7 items-center gap-2.5 px-2 text-12 text-faint tabular">
        {state.kind === "searching" ? <Ring /> : null}
        {state.kind === "searching" ? "Searching" : state.kind === "failed" ? state.message : foundWords(state.files, state.truncated)}
      </p>
      {state.kind === "found" ? (
        <ul>
          {state.files.map((file) => (
            <FoundEntry key={file.path} file={file} words={words} onOpen={(line) => onOpen(file, line)} onKey={onKey} />
          ))}
        </ul>
      ) : null}
    </div>
  );
}

interface FoundEntryProps {
  readonly file: FoundFile;
  readonly words: string;
  readonly onOpen: (line: number | null) => void;
  readonly onKey: (event: KeyboardEvent) => void;
}

const SHOWN_LINES = 5;

function FoundEntry({ file, words, onOpen, onKey }: FoundEntryProps) {
  const [all, setAll] = useState(false);
  const shown = all ? file.lines : file.lines.slice(0, SHOWN_LINES);
  const hidden = file.lines.length - shown.length;
  return (
    <li className="pb-1">
      <button type="button" data-hit="" onKeyDown={onKey} onClick={() => onOpen(file.lines[0]?.line ?? null)} className={`${HIT} text-13`}>
        <Icon of={file.isFolder ? Folder : File} className="mt-0.5 text-faint" />
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <Marked text={file.path} words={words} />
        </span>
      </button>
      {shown.map(({ line, text }) => (
        <button key={line} type="button" data-hit="" aria-label={`Line ${line} of ${file.path}: ${text}`} onKeyDown={onKey} onClick={() => onOpen(line)} className={`${HIT} text-code mono`}>
          <span className="w-8 flex-none text-right text-faint tabular">{line}</span>
          <span className="line-clamp-2 min-w-0 flex-1 [overflow-wrap:anywhere]">
            <Marked text={text} words={words} />
          </span>
        </button>
      ))}
      {hidden === 0 ? null : (
        <button type="button" data-hit="" onKeyDown={onKey} onClick={() => setAll(true)} className={`${HIT} pl-12 text-13 text-accent`}>
          {countOf(hidden, "more line")}
        </button>
      )}
    </li>
  );
}

function Marked({ text, words }: { readonly text: string; readonly words: string }) {
  const parts = splitAtMatch(text, words);
  if (parts === null) return <>{text}</>;
  return (
    <>
      {parts[0]}
      <mark className="found text-inherit">{parts[1]}</mark>
      {parts[2]}
    </>
  );
}
