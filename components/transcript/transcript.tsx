import { type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Turn } from "#fold/transcript";
import { Ring } from "../look/ring";
import { JumpPill } from "./jump-pill";
import { NearWatch } from "./near-watch";
import { PinnedLine } from "./pinned-line";
import { ScrollFollower, type ScrollReport, START_REPORT } from "./scroll-follower";
import { TurnSlot } from "./turn-slot";
import { type TurnContext, TurnView } from "./turn-view";

export interface TranscriptHandle {
  /** Brings a turn (or the element in it that the selector finds) into view; false when it is not loaded. */
  readonly reveal: (runId: string, selector?: string) => boolean;
  readonly toEnd: () => void;
  /** Moves the focus to the oldest prompt that waits; false when none does. */
  readonly focusPrompt: () => boolean;
  readonly element: () => HTMLElement | null;
}

interface TranscriptProps {
  readonly turns: readonly Turn[];
  readonly context: TurnContext;
  readonly older: "none" | "more" | "loading";
  readonly onLoadOlder: () => void;
  readonly handle?: Ref<TranscriptHandle>;
}

/** Up to so many parts everything stays in the page, so that the browser's own find sees it. */
const WINDOWED_FROM_PARTS = 600;
const NEAR_PX = 1500;

/** The conversation of one session. Keyed by it: nothing of another session is ever drawn here (B225). */
export function Transcript({ turns, context, older, onLoadOlder, handle }: TranscriptProps) {
  const [report, setReport] = useState<ScrollReport>(START_REPORT);
  const [leftAt, setLeftAt] = useState<number | null>(null);
  const [asked, setAsked] = useState<string | null>(null);
  const [watch] = useState(() => new NearWatch(NEAR_PX));
  const scroller = useRef<HTMLDivElement>(null);
  const follower = useRef<ScrollFollower | null>(null);
  const rowCount = useMemo(() => turns.reduce((sum, turn) => sum + turn.run.parts.length + 1, 0), [turns]);
  if (report.following !== (leftAt === null)) setLeftAt(report.following ? null : rowCount);
  useEffect(() => {
    if (report.nearStart && older === "more") onLoadOlder();
  }, [report.nearStart, older, onLoadOlder]);

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
        watch.close();
      };
    },
    [watch],
  );

  const reveal = (runId: string, selector?: string): boolean => {
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
  useImperativeHandle(handle, () => ({ reveal, focusPrompt, toEnd: () => follower.current?.toEnd(), element: () => scroller.current }));

  const windowed = rowCount > WINDOWED_FROM_PARTS;
  const pinned = turns.find((turn) => turn.run.run_id === report.pinnedRun)?.run;
  return (
    <div className="relative min-h-0 flex-1">
      {pinned === undefined || pinned.message === null ? null : (
        <PinnedLine message={pinned.message} startedAt={pinned.started_at} onBack={() => reveal(pinned.run_id, "[data-row]")} />
      )}
      <div
        ref={observe}
        role="log"
        aria-label="Conversation"
        aria-live="off"
        tabIndex={0}
        className="flex h-full scroll-pt-4 flex-col overflow-y-auto outline-offset-[-2px] thin-scroll [overflow-anchor:none]"
      >
        <div aria-hidden="true" className="flex-1" />
        <div data-thread="" className="mx-auto w-full max-w-[min(calc(var(--measure)+2*var(--hang)),calc(100%-2rem))] flex-none px-[var(--hang)] pt-2 pb-5 phone:max-w-none phone:px-5 phone:pt-1 phone:pb-3">
          {older === "none" ? null : <OlderLine loading={older === "loading"} />}
          {turns.map((turn, index) => {
            const newest = index === turns.length - 1;
            const { run_id } = turn.run;
            return (
              <TurnSlot key={run_id} runId={run_id} watch={watch} held={!windowed || newest || run_id === asked}>
                <TurnView turn={turn} newest={newest} first={index === 0} context={context} />
              </TurnSlot>
            );
          })}
        </div>
      </div>
      {report.following ? null : (
        <JumpPill
          waiting={report.promptBelow}
          fresh={Math.max(0, rowCount - (leftAt ?? rowCount))}
          onJump={() => (report.promptBelow ? focusPrompt() : follower.current?.toEnd())}
        />
      )}
    </div>
  );
}

function OlderLine({ loading }: { readonly loading: boolean }) {
  return (
    <div className="flex h-10 items-center gap-2.5 text-13 text-faint" aria-hidden={!loading}>
      {loading ? (
        <>
          <Ring /> Opening earlier turns
        </>
      ) : null}
    </div>
  );
}
