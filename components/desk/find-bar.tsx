import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useState } from "react";
import type { Turn } from "#fold/transcript";
import { Button } from "../look/button";
import { IconButton } from "../look/icon-button";
import type { TranscriptHandle } from "../transcript/transcript";
import { findMatches } from "./find-matches";
import { markFound } from "./mark-found";

interface FindBarProps {
  readonly turns: readonly Turn[];
  readonly transcript: RefObject<TranscriptHandle | null>;
  /** Earlier turns are not loaded; null when all are. */
  readonly onLoadAll: (() => void) | null;
  readonly onClose: () => void;
}

/** Our own find: it also finds what a long transcript keeps out of the page. */
export function FindBar({ turns, transcript, onLoadAll, onClose }: FindBarProps) {
  const [words, setWords] = useState("");
  const [step, setStep] = useState(0);
  const matches = useMemo(() => findMatches(turns, words), [turns, words]);
  const index = matches.length === 0 ? -1 : ((step % matches.length) + matches.length) % matches.length;
  const current = matches[index];
  const currentRun = current?.runId ?? null;
  const currentRow = current?.row ?? null;

  // Marks live in the browser's highlights, outside of React's elements.
  useEffect(() => {
    if (currentRun !== null && currentRow !== null) transcript.current?.reveal(currentRun, `[data-row="${CSS.escape(currentRow)}"]`);
    markFound(transcript.current?.element() ?? null, words, currentRow);
  }, [transcript, words, currentRun, currentRow]);
  useEffect(() => () => markFound(null, "", null), []);

  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter") setStep(step + (event.shiftKey ? -1 : 1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div role="search" data-edge="" className="absolute top-13 right-3 z-30 flex items-center gap-1 rounded-xl bg-raised py-1 pr-1 pl-3 shadow-[inset_0_0_0_1px_var(--hair),var(--lift)] phone:inset-x-2">
      <input
        aria-label="Find in this session"
        placeholder="Find in this session"
        autoFocus
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setStep(-1);
        }}
        onKeyDown={onKey}
        className="h-8 w-52 min-w-0 flex-1 bg-transparent text-14 outline-none touch:text-16"
      />
      <span role="status" className="flex-none text-12 text-faint tabular">
        {words.trim() === "" ? "" : matches.length === 0 ? "not found" : `${index + 1} of ${matches.length}`}
      </span>
      {onLoadAll === null || words.trim() === "" ? null : (
        <Button kind="bare" onClick={onLoadAll}>
          Earlier turns too
        </Button>
      )}
      <IconButton size={28} label="The one before" icon={ChevronUp} disabled={matches.length === 0} onClick={() => setStep(step - 1)} />
      <IconButton size={28} label="The next one" icon={ChevronDown} disabled={matches.length === 0} onClick={() => setStep(step + 1)} />
      <IconButton size={28} label="Close the search" icon={X} onClick={onClose} />
    </div>
  );
}
