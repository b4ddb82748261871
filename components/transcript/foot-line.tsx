import { Copy, Ellipsis, GitBranch, Pencil, RotateCcw } from "lucide-react";
import { memo } from "react";
import { usageFactsOf } from "#fold/transcript";
import type { RunView } from "#protocol/run-view";
import { CopyButton } from "../look/copy-button";
import { IconButton } from "../look/icon-button";
import { Menu, MenuItem } from "../look/menu";
import { Ring } from "../look/ring";
import { useNow } from "../look/use-now";
import { costWords, tokenWords } from "../words/count-words";
import { durationWords, wholeDurationWords } from "../words/time-words";
import { runPhase } from "./run-phase";
import type { TranscriptActions } from "./transcript-actions";

interface FootLineProps {
  readonly run: RunView;
  readonly actions: TranscriptActions;
  /** Nothing may be branched or asked again while the session works. */
  readonly busy: boolean;
}

/** The reserved line under a turn: what runs and for how long, then in the same place what it took. */
export const FootLine = memo(function FootLine({ run, actions, busy }: FootLineProps) {
  return run.ended_at === null ? <LiveLine run={run} /> : <UsageLine run={run} actions={actions} busy={busy} />;
});

function LiveLine({ run }: { readonly run: RunView }) {
  const phase = runPhase(run);
  const now = useNow(phase !== null && phase.since !== null);
  if (phase === null) return null;
  const counting = phase.since !== null;
  return (
    <div className="relative flex min-h-6 items-center gap-2 text-12 text-faint tabular phone:pl-[1.625rem]">
      {counting || run.status === "cancelling" ? <Ring className="absolute left-[calc(2px-var(--hang))] phone:left-0.5" /> : null}
      <span>
        {phase.label}
        {phase.since === null ? null : ` for ${wholeDurationWords(now - phase.since)}`}
      </span>
      {counting ? <Part>{`${wholeDurationWords(now - run.started_at)} in all`}</Part> : null}
    </div>
  );
}

function Part({ children }: { readonly children: string }) {
  return (
    <span>
      <span aria-hidden="true" className="mr-2">
        ·
      </span>
      {children}
    </span>
  );
}

function UsageLine({ run, actions, busy }: FootLineProps) {
  const [first, ...rest] = usageWords(run);
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-x-2 text-12 whitespace-nowrap text-faint tabular">
      {first === undefined ? null : <span>{first}</span>}
      {rest.map((fact) => (
        <Part key={fact}>{fact}</Part>
      ))}
      <span className="-mr-1.5 ml-auto flex opacity-0 transition-opacity duration-[120ms] group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 touch:hidden">
        <CopyButton size={24} label="Copy the words" text={() => answerText(run)} />
        <IconButton size={24} iconSize={14} label="Branch from here" icon={GitBranch} onClick={() => actions.branch(run.run_id)} />
        {busy ? null : <IconButton size={24} iconSize={14} label="Ask again" icon={RotateCcw} onClick={() => actions.retry(run.run_id, null)} />}
      </span>
      <TurnMenu run={run} actions={actions} busy={busy} />
    </div>
  );
}

/** The same for fingers, with what stands below the message elsewhere. */
function TurnMenu({ run, actions, busy }: FootLineProps) {
  return (
    <span className="-my-2.5 -mr-3 ml-auto hidden touch:inline">
      <Menu align="end" trigger={<IconButton label="What to do with this turn" icon={Ellipsis} />}>
        <MenuItem icon={Copy} onSelect={() => actions.copy(answerText(run))}>
          Copy the words
        </MenuItem>
        {run.message === null ? null : (
          <MenuItem icon={Copy} onSelect={() => actions.copy(run.message?.text ?? "")}>
            Copy the message
          </MenuItem>
        )}
        {run.message === null || busy ? null : (
          <MenuItem icon={Pencil} onSelect={() => actions.edit(run.run_id)}>
            Edit the message
          </MenuItem>
        )}
        <MenuItem icon={GitBranch} onSelect={() => actions.branch(run.run_id)}>
          Branch from here
        </MenuItem>
        {busy ? null : (
          <MenuItem icon={RotateCcw} onSelect={() => actions.retry(run.run_id, null)}>
            Ask again
          </MenuItem>
        )}
      </Menu>
    </span>
  );
}

/** What is known of a turn's cost; what is unknown is left out. */
export function usageWords(run: RunView): readonly string[] {
  const facts = usageFactsOf(run);
  const tokens = [
    facts.input_tokens === null ? null : `${tokenWords(facts.input_tokens)} in`,
    facts.output_tokens === null ? null : `${tokenWords(facts.output_tokens)} out`,
  ].filter((part) => part !== null);
  return [
    facts.seconds === null ? null : durationWords(facts.seconds * 1000),
    tokens.length === 0 ? null : tokens.join(", "),
    facts.model === "" ? null : facts.model,
    facts.cost_usd === null ? null : costWords(facts.cost_usd),
  ].filter((fact) => fact !== null);
}

export function answerText(run: RunView): string {
  return run.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}
