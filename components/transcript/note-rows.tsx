import { CornerDownRight, Info, RotateCw, Target, Terminal, TriangleAlert } from "lucide-react";
import { memo, type ReactNode } from "react";
import type { TurnOpening } from "#fold/transcript";
import type { PartOf, RunView } from "#protocol/run-view";
import { Icon } from "../look/icon";
import { hourWords } from "../words/time-words";
import { DisclosureRow } from "./disclosure-row";
import { GutterLine } from "./gutter-line";

export const SteerNote = memo(function SteerNote({ part, ended }: { readonly part: PartOf<"steer">; readonly ended: boolean }) {
  const read = part.applied ? `read${part.applied_at === null ? "" : ` at ${hourWords(part.applied_at)}`}` : ended ? "kept for the next turn" : "not read yet";
  return (
    <GutterLine height="note" icon={<Icon of={CornerDownRight} />}>
      You added <q className="text-ink [overflow-wrap:anywhere] [quotes:'“'_'”']">{part.text}</q>, {read}
    </GutterLine>
  );
});

type ProgressKind = PartOf<"progress">["kind"];

const PROGRESS: Readonly<Record<ProgressKind, (text: string) => ReactNode>> = {
  retry: (text) => (
    <GutterLine height="note" icon={<Icon of={RotateCw} />}>
      {text}
    </GutterLine>
  ),
  warning: (text) => (
    <GutterLine height="note" icon={<Icon of={TriangleAlert} />}>
      {text}
    </GutterLine>
  ),
  phase: (text) => (
    <GutterLine height="note" icon={<Icon of={Info} />}>
      {text}
    </GutterLine>
  ),
  compressing: (text) => <RuleLine text={text} />,
  compressed: (text) => <RuleLine text={text} />,
};

export const ProgressNote = memo(function ProgressNote({ part }: { readonly part: PartOf<"progress"> }) {
  return PROGRESS[part.kind](part.text);
});

/** A border in the conversation: what is above was summed up for the model. */
function RuleLine({ text }: { readonly text: string }) {
  return (
    <div className="my-3 flex items-center gap-3 text-12 text-faint before:h-px before:flex-1 before:bg-hair after:h-px after:flex-1 after:bg-hair">
      <span className="max-w-[80%] text-center">{text}</span>
    </div>
  );
}

/** An error that did not end the turn. */
export const WarningNote = memo(function WarningNote({ part }: { readonly part: PartOf<"error"> }) {
  return (
    <GutterLine height="note" icon={<Icon of={TriangleAlert} className="text-bad" />}>
      {part.message}
    </GutterLine>
  );
});

interface OpeningNoteProps {
  readonly run: RunView;
  readonly opening: Exclude<TurnOpening, "person">;
  readonly open: boolean;
  readonly onToggle: (key: string) => void;
}

/** Why a turn began that nobody wrote a message for. */
export const OpeningNote = memo(function OpeningNote({ run, opening, open, onToggle }: OpeningNoteProps) {
  if (opening === "process" && run.message !== null) {
    return (
      <DisclosureRow
        icon={<Icon of={Terminal} />}
        label={`A command in the background ended at ${hourWords(run.started_at)}`}
        fact={null}
        open={open}
        onToggle={() => onToggle(`${run.run_id}:opening`)}
      >
        <pre className="hang mt-0.5 mb-2.5 rounded-xl bg-sunk py-3 text-code whitespace-pre-wrap mono [overflow-wrap:anywhere]">{run.message.text}</pre>
      </DisclosureRow>
    );
  }
  const text = OPENING_WORDS[opening](hourWords(run.started_at));
  return <GutterLine icon={<Icon of={opening === "goal" ? Target : RotateCw} />}>{text}</GutterLine>;
});

const OPENING_WORDS: Readonly<Record<Exclude<TurnOpening, "person">, (at: string) => string>> = {
  retry: (at) => `Tried again at ${at}`,
  goal: (at) => `Went on with the goal at ${at}`,
  process: (at) => `A command in the background ended at ${at}`,
  compress: (at) => `Summed up at ${at}`,
  queue: (at) => `From the queue at ${at}`,
  steer: (at) => `From what you added, at ${at}`,
  delegate: (at) => `Handed on at ${at}`,
};
