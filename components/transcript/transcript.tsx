import { type Ref, useEffect, useImperativeHandle, useMemo, useState } from "react";
import type { Turn } from "#fold/transcript";
import { Ring } from "../look/ring";
import { JumpPill } from "./jump-pill";
import { PinnedLine } from "./pinned-line";
import { TurnSlot } from "./turn-slot";
import { type TurnContext, TurnView } from "./turn-view";
import { type TranscriptView, useTranscriptView } from "./use-transcript-view";

/** What others ask of a transcript: bringing a turn (or an element in it) into view, false when it is not loaded. */
export type TranscriptHandle = Pick<TranscriptView, "reveal" | "toEnd" | "focusPrompt" | "element">;
export type OlderTurns = "none" | "more" | "loading" | "failed";

interface TranscriptProps {
  readonly turns: readonly Turn[];
  readonly context: TurnContext;
  readonly older: OlderTurns;
  readonly onLoadOlder: () => void;
  readonly handle?: Ref<TranscriptHandle>;
}

/** Up to so many parts everything stays in the page, so that the browser's own find sees it. */
const WINDOWED_FROM_PARTS = 600;

/** The conversation of one session. Keyed by it: nothing of another session is ever drawn here (B225). */
export function Transcript({ turns, context, older, onLoadOlder, handle }: TranscriptProps) {
  const view = useTranscriptView();
  const { report } = view;
  const rowCount = useMemo(() => turns.reduce((sum, turn) => sum + turn.run.parts.length + 1, 0), [turns]);
  const [leftAt, setLeftAt] = useState<number | null>(null);
  if (report.following !== (leftAt === null)) setLeftAt(report.following ? null : rowCount);
  useEffect(() => {
    if (report.nearStart && older === "more") onLoadOlder();
  }, [report.nearStart, older, onLoadOlder]);
  useImperativeHandle(handle, () => view);

  const pinned = turns.find((turn) => turn.run.run_id === report.pinnedRun)?.run;
  return (
    <div className="relative min-h-0 flex-1">
      {pinned === undefined || pinned.message === null ? null : (
        <PinnedLine message={pinned.message} startedAt={pinned.started_at} onBack={() => view.reveal(pinned.run_id, "[data-row]")} />
      )}
      <div
        ref={view.observe}
        role="log"
        aria-label="Conversation"
        aria-live="off"
        tabIndex={0}
        data-region=""
        className="flex h-full scroll-pt-4 flex-col overflow-y-auto outline-offset-[-2px] thin-scroll [overflow-anchor:none]"
      >
        <h2 className="sr-only">Conversation</h2>
        <div aria-hidden="true" className="flex-1" />
        <div
          data-thread=""
          className="mx-auto w-full max-w-[min(calc(var(--measure)+2*var(--hang)),calc(100%-2rem))] flex-none px-[var(--hang)] pt-2 pb-5 phone:max-w-none phone:px-5 phone:pt-1 phone:pb-3"
        >
          <OlderLine older={older} onRetry={onLoadOlder} />
          <Turns turns={turns} context={context} view={view} windowed={rowCount > WINDOWED_FROM_PARTS} />
        </div>
      </div>
      {report.following ? null : (
        <JumpPill
          waiting={report.promptBelow}
          fresh={Math.max(0, rowCount - (leftAt ?? rowCount))}
          onJump={() => (report.promptBelow ? view.focusPrompt() : view.toEnd())}
        />
      )}
    </div>
  );
}

interface TurnsProps {
  readonly turns: readonly Turn[];
  readonly context: TurnContext;
  readonly view: TranscriptView;
  readonly windowed: boolean;
}

function Turns({ turns, context, view, windowed }: TurnsProps) {
  return turns.map((turn, index) => {
    const newest = index === turns.length - 1;
    const { run_id } = turn.run;
    return (
      <TurnSlot key={run_id} runId={run_id} watch={view.watch} held={!windowed || newest || run_id === view.asked}>
        <TurnView turn={turn} newest={newest} first={index === 0} context={context} />
      </TurnSlot>
    );
  });
}

function OlderLine({ older, onRetry }: { readonly older: OlderTurns; readonly onRetry: () => void }) {
  if (older === "none") return null;
  return (
    <div className="flex h-10 items-center gap-2.5 text-13 text-faint">
      {older === "loading" ? (
        <>
          <Ring /> Opening earlier turns
        </>
      ) : null}
      {older === "failed" ? (
        <button type="button" onClick={onRetry} className="min-h-6 text-accent hover:underline touch:min-h-11">
          Earlier turns could not be opened. Try again
        </button>
      ) : null}
    </div>
  );
}
