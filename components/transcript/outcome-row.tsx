import { Clock, Ellipsis, KeyRound, Power, Square, TriangleAlert } from "lucide-react";
import { memo, type ReactNode, useState } from "react";
import type { TurnOutcome } from "#fold/transcript";
import type { RunView } from "#protocol/run-view";
import { Button } from "../look/button";
import { WaveIcon } from "../look/drawn-icons";
import { Icon } from "../look/icon";
import { ACTION_LABEL, type OutcomeIcon, outcomeWords } from "./outcome-words";
import type { TranscriptActions } from "./transcript-actions";

interface OutcomeRowProps {
  readonly run: RunView;
  readonly outcome: TurnOutcome;
  /** Only the newest turn can be gone on with. */
  readonly newest: boolean;
  readonly actions: TranscriptActions;
}

const ICONS: Readonly<Record<OutcomeIcon, ReactNode>> = {
  square: <Icon of={Square} />,
  warning: <Icon of={TriangleAlert} />,
  key: <Icon of={KeyRound} />,
  power: <Icon of={Power} />,
  dots: <Icon of={Ellipsis} />,
  wave: <WaveIcon />,
  clock: <Icon of={Clock} />,
};

export const OutcomeRow = memo(function OutcomeRow({ run, outcome, newest, actions }: OutcomeRowProps) {
  const words = outcomeWords(outcome);
  const { action, second } = words;
  return (
    <div className="relative flex flex-wrap items-start gap-3 text-14 phone:pl-[1.625rem]">
      <span className={`gutter top-0.5 phone:left-0 ${words.failed ? "text-bad" : "text-muted"}`}>{ICONS[words.icon]}</span>
      <div className="min-w-48 flex-1 [overflow-wrap:anywhere]">
        <b className="block font-medium">{words.title}</b>
        {words.fact === null ? null : <span className="text-muted">{words.fact}</span>}
        <Details run={run} />
      </div>
      {newest && action !== null ? (
        <div className="flex gap-2 phone:has-[button+button]:-ml-3">
          {second === null ? null : (
            <Button kind="bare" onClick={() => actions.outcome(second, run.run_id)}>
              {ACTION_LABEL[second]}
            </Button>
          )}
          <Button onClick={() => actions.outcome(action, run.run_id)}>{ACTION_LABEL[action]}</Button>
        </div>
      ) : null}
    </div>
  );
});

/** Codes and diagnostics, for those who ask. */
function Details({ run }: { readonly run: RunView }) {
  const [open, setOpen] = useState(false);
  if (run.error === null) return null;
  return (
    <div>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="min-h-6 text-13 text-accent hover:underline touch:min-h-11">
        Details
      </button>
      {open ? (
        <pre className="mt-1 mb-1 rounded-lg bg-sunk px-3 py-2 text-code whitespace-pre-wrap mono [overflow-wrap:anywhere]">
          {[run.error.code, ...Object.entries(run.error.diagnostics).map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)].join("\n")}
        </pre>
      ) : null}
    </div>
  );
}
