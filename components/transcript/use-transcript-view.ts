/** The scrolling side of a transcript: where its reader is, and the ways to bring something into view. */
import { type RefCallback, useCallback, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { NearWatch } from "./near-watch";
import { ScrollFollower, type ScrollReport, START_REPORT } from "./scroll-follower";

const NEAR_PX = 1500;

export interface TranscriptView {
  /** For the scrolling element, which holds one `data-thread`. */
  readonly observe: RefCallback<HTMLDivElement>;
  readonly report: ScrollReport;
  readonly watch: NearWatch;
  /** The turn that was asked for last: it is held in the page. */
  readonly asked: string | null;
  readonly reveal: (runId: string, selector?: string) => boolean;
  readonly focusPrompt: () => boolean;
  readonly toEnd: () => void;
  readonly element: () => HTMLElement | null;
}

export function useTranscriptView(): TranscriptView {
  const [report, setReport] = useState<ScrollReport>(START_REPORT);
  const [asked, setAsked] = useState<string | null>(null);
  const [watch] = useState(() => new NearWatch(NEAR_PX));
  const scroller = useRef<HTMLDivElement>(null);
  const follower = useRef<ScrollFollower>(null);

  const observe = useCallback(
    (element: HTMLDivElement | null) => {
      const content = element?.querySelector("[data-thread]");
      if (element === null || !(content instanceof HTMLElement)) return undefined;
      scroller.current = element;
      watch.open(element);
      follower.current = new ScrollFollower(element, content, setReport);
      return () => {
        follower.current?.close();
        follower.current = null;
        scroller.current = null;
        watch.close();
      };
    },
    [watch],
  );

  const reveal = (runId: string, selector?: string): boolean => {
    // The turn must be in the page before it can be scrolled to.
    flushSync(() => setAsked(runId));
    const turn = scroller.current?.querySelector(`[data-turn="${CSS.escape(runId)}"]`);
    const element = (selector === undefined ? null : turn?.querySelector(selector)) ?? turn;
    if (element === null || element === undefined) return false;
    follower.current?.show(element);
    return true;
  };
  const focusPrompt = (): boolean => {
    const prompt = scroller.current?.querySelector("[data-prompt]");
    if (!(prompt instanceof HTMLElement)) return false;
    prompt.focus();
    prompt.scrollIntoView({ block: "nearest" });
    return true;
  };
  return { observe, report, watch, asked, reveal, focusPrompt, toEnd: () => follower.current?.toEnd(), element: () => scroller.current };
}
