import { memo } from "react";
import type { PartOf } from "#protocol/run-view";
import { WaveIcon } from "../look/drawn-icons";
import { Ring } from "../look/ring";
import { useNow } from "../look/use-now";
import { wholeDurationWords } from "../words/time-words";
import { DisclosureRow } from "./disclosure-row";

interface ThinkingRowProps {
  readonly part: PartOf<"reasoning">;
  readonly runEnded: boolean;
  readonly open: boolean;
  readonly onToggle: (key: string) => void;
}

export const ThinkingRow = memo(function ThinkingRow({ part, runEnded, open, onToggle }: ThinkingRowProps) {
  const live = !part.done && !runEnded;
  const now = useNow(live);
  const seconds = (live ? now : (part.ended_at ?? part.started_at)) - part.started_at;
  return (
    <DisclosureRow
      icon={live ? <Ring className="m-0.5" /> : <WaveIcon />}
      label={<span className="tabular">{live ? `Thinking for ${wholeDurationWords(seconds)}` : thoughtFor(seconds)}</span>}
      fact={null}
      open={open}
      onToggle={() => onToggle(part.segment_id)}
    >
      <p className="pt-0.5 pb-2.5 text-14 leading-[1.375rem] whitespace-pre-wrap text-muted [overflow-wrap:anywhere] phone:pl-[1.625rem]">{part.text}</p>
    </DisclosureRow>
  );
});

function thoughtFor(seconds: number): string {
  return seconds < 1 ? "Thought for a moment" : `Thought for ${wholeDurationWords(seconds)}`;
}
