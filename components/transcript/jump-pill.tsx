import { ChevronDown, Hand } from "lucide-react";
import { Icon } from "../look/icon";
import { countOf } from "../words/count-words";

interface JumpPillProps {
  /** A prompt waits below the view. */
  readonly waiting: boolean;
  /** Rows that came since the reader left the end. */
  readonly fresh: number;
  readonly onJump: () => void;
}

export function JumpPill({ waiting, fresh, onJump }: JumpPillProps) {
  const look = waiting
    ? "bg-attend-card font-medium text-attend shadow-[inset_0_0_0_1.5px_var(--attend-line),var(--lift)]"
    : "bg-raised shadow-[inset_0_0_0_1px_var(--line),var(--lift)]";
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-3 z-10 flex justify-center">
      <button
        type="button"
        data-edge=""
        onClick={onJump}
        className={`pointer-events-auto flex h-8 items-center gap-1.5 rounded-full pr-3.5 pl-2.5 text-13 tabular touch:h-11 ${look}`}
      >
        <Icon of={waiting ? Hand : ChevronDown} size={14} className={waiting ? "text-attend-mark" : ""} />
        {waiting ? "Waiting for you below" : fresh > 0 ? `To the end, ${countOf(fresh, "new line")}` : "To the end"}
      </button>
    </div>
  );
}
