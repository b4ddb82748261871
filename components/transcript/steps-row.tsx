import { Layers } from "lucide-react";
import { memo } from "react";
import type { PartOf, RunView } from "#protocol/run-view";
import { Icon } from "../look/icon";
import { Ring } from "../look/ring";
import { useNow } from "../look/use-now";
import { countOf } from "../words/count-words";
import { durationWords, wholeDurationWords } from "../words/time-words";
import { DisclosureRow } from "./disclosure-row";
import { GutterLine } from "./gutter-line";
import { ThinkingRow } from "./thinking-row";
import { ToolRow } from "./tool-row";
import { workKey } from "./transcript-rows";

interface StepsRowProps {
  readonly rowKey: string;
  readonly parts: readonly (PartOf<"tool"> | PartOf<"reasoning">)[];
  readonly live: boolean;
  readonly isOpen: (key: string) => boolean;
  readonly onToggle: (key: string) => void;
}

/** Compact view: neighbouring traces as one line, "6 steps, 1 min 12 s", which opens to them. */
export const StepsRow = memo(function StepsRow({ rowKey, parts, live, isOpen, onToggle }: StepsRowProps) {
  const failed = parts.filter((part) => part.type === "tool" && part.status === "error").length;
  const spent = parts.reduce((sum, part) => sum + millisecondsOf(part), 0);
  return (
    <DisclosureRow
      icon={live ? <Ring className="m-0.5" /> : <Icon of={Layers} />}
      label={`${countOf(parts.length, "step")}${spent >= 100 ? `, ${durationWords(spent)}` : ""}`}
      fact={failed === 0 ? null : `${failed} failed`}
      open={isOpen(rowKey)}
      onToggle={() => onToggle(rowKey)}
    >
      {parts.map((part) =>
        part.type === "tool" ? (
          <ToolRow key={workKey(part)} part={part} approval={null} open={isOpen(workKey(part))} onToggle={onToggle} />
        ) : (
          <ThinkingRow key={workKey(part)} part={part} runEnded={!live} open={isOpen(workKey(part))} onToggle={onToggle} />
        ),
      )}
    </DisclosureRow>
  );
});

function millisecondsOf(part: PartOf<"tool"> | PartOf<"reasoning">): number {
  if (part.type === "tool") return part.duration_ms ?? 0;
  return part.ended_at === null ? 0 : (part.ended_at - part.started_at) * 1000;
}

/** Answer only: one line for all that was done. */
export const WorkedLine = memo(function WorkedLine({ run }: { readonly run: RunView }) {
  const live = run.ended_at === null && run.status === "running";
  const now = useNow(live);
  const seconds = (run.ended_at ?? now) - run.started_at;
  return (
    <GutterLine icon={live ? <Ring className="m-0.5" /> : <Icon of={Layers} />}>
      {live ? "Working" : "Worked"} for {wholeDurationWords(seconds)}
    </GutterLine>
  );
});
