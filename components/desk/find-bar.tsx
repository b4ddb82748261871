import { ChevronDown, ChevronUp, X } from "lucide-react";
import type { KeyboardEvent, RefObject } from "react";
import type { Turn } from "#fold/transcript";
import { Button } from "../look/button";
import { IconButton } from "../look/icon-button";
import { Ring } from "../look/ring";
import type { OlderTurns, TranscriptHandle } from "../transcript/transcript";
import { findFact } from "./find-matches";
import { useFind } from "./use-find";
import { useFoundMarks } from "./use-found-marks";
import type { OlderLoading } from "./use-older-turns";

interface FindBarProps {
  readonly sessionId: string;
  readonly turns: readonly Turn[];
  readonly transcript: RefObject<TranscriptHandle | null>;
  readonly older: OlderTurns;
  /** The ways to earlier turns. With all of them loaded, what only stands in commands and titles is found, too. */
  readonly loading: Pick<OlderLoading, "all" | "reach">;
  readonly onClose: () => void;
}

/** Our own find: it also finds what a long transcript keeps out of the page, and what is not loaded. */
export function FindBar({ sessionId, turns, transcript, older, loading, onClose }: FindBarProps) {
  const find = useFind({ sessionId, turns, older, onReach: loading.reach });
  const hasOlder = older !== "none";
  const { words, current, earlier } = find;
  useFoundMarks(transcript, words, current);
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter") (event.shiftKey ? find.back : find.on)();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isEmpty = find.count === 0 && (earlier ?? 0) === 0;
  return (
    <div role="search" data-edge="" className="absolute top-13 right-3 z-30 flex items-center gap-1 rounded-xl bg-raised py-1 pr-1 pl-3 shadow-[inset_0_0_0_1px_var(--hair),var(--lift)] phone:inset-x-2 phone:flex-wrap">
      <input
        aria-label="Find in this session"
        placeholder="Find in this session"
        autoFocus
        value={words}
        onChange={(event) => find.setWords(event.target.value)}
        onKeyDown={onKey}
        className="h-8 w-52 min-w-0 flex-1 bg-transparent text-14 outline-none touch:text-16 phone:w-32"
      />
      <span role="status" className="flex flex-none items-center gap-2 text-12 text-faint tabular">
        {find.reaching ? <Ring /> : null}
        {find.reaching ? "Opening earlier turns" : findFact({ words, index: find.index, count: find.count, earlier: hasOlder ? earlier : 0 })}
      </span>
      {hasOlder && words.trim() !== "" && earlier === 0 && !find.reaching ? (
        <Button kind="bare" title="Commands and titles of earlier turns are looked through, too" onClick={loading.all}>
          Earlier turns too
        </Button>
      ) : null}
      <IconButton size={28} label="The one before" icon={ChevronUp} disabled={isEmpty} onClick={find.back} />
      <IconButton size={28} label="The next one" icon={ChevronDown} disabled={find.count === 0} onClick={find.on} />
      <IconButton size={28} label="Close the search" icon={X} onClick={onClose} />
    </div>
  );
}
