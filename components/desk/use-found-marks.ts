/** Brings the match in hand into view and washes the found words, also in turns that are drawn later. */
import { type RefObject, useEffect } from "react";
import type { TranscriptHandle } from "../transcript/transcript";
import type { FindMatch } from "./find-matches";
import { markFound } from "./mark-found";

const PAUSE_MS = 150;
/** What is brought into view stands below the search bar, which lies over the conversation. */
const BELOW_BAR = "4.25rem";

export function useFoundMarks(transcript: RefObject<TranscriptHandle | null>, words: string, current: FindMatch | null): void {
  const runId = current?.runId ?? null;
  const row = current?.row ?? null;
  useEffect(() => {
    const log = transcript.current?.element();
    log?.style.setProperty("scroll-padding-top", BELOW_BAR);
    return () => {
      log?.style.removeProperty("scroll-padding-top");
      markFound(null, "", null);
    };
  }, [transcript]);
  useEffect(() => {
    const log = transcript.current?.element() ?? null;
    const mark = (): void => markFound(log, words, row);
    // In a frame of its own: a turn that is far away is drawn first, then scrolled to, then marked.
    const frame = requestAnimationFrame(() => {
      if (runId !== null && row !== null) transcript.current?.reveal(runId, `[data-row="${CSS.escape(row)}"]`);
      mark();
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new MutationObserver(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        mark();
      }, PAUSE_MS);
    });
    if (log !== null && words.trim() !== "") observer.observe(log, { childList: true, subtree: true });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [transcript, words, runId, row]);
}
