import type { UserMessage } from "#protocol/event-values";
import { hourWords } from "../words/time-words";

interface PinnedLineProps {
  readonly message: UserMessage;
  readonly startedAt: number;
  readonly onBack: () => void;
}

/** The message whose turn is on screen, once it has scrolled away. It lies over the transcript and moves nothing. */
export function PinnedLine({ message, startedAt, onBack }: PinnedLineProps) {
  return (
    <div className="pointer-events-none absolute inset-x-0 top-0 z-10 px-4 before:absolute before:inset-x-0 before:top-0 before:h-5 before:bg-paper phone:hidden">
      <button
        type="button"
        aria-label="Back to this message"
        title={message.text}
        onClick={onBack}
        className="pointer-events-auto relative mx-auto flex h-10 w-full max-w-[calc(var(--measure)+2*var(--hang))] items-center rounded-xl bg-fill px-[var(--hang)] text-left text-14 after:pointer-events-none after:absolute after:inset-x-0 after:top-10 after:h-6 after:bg-linear-to-b after:from-paper after:to-transparent"
      >
        <span className="min-w-0 flex-1 truncate">{message.text}</span>
        <span className="ml-4 text-12 text-faint tabular">{hourWords(startedAt)}</span>
      </button>
    </div>
  );
}
