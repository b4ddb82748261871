import { CornerDownRight } from "lucide-react";
import { Icon } from "../look/icon";

export interface Starter {
  readonly text: string;
  readonly onChoose: () => void;
}

interface StartersProps {
  /** The folder that the session works in, by its last name. */
  readonly folder: string;
  readonly starters: readonly Starter[];
}

/** An empty session: a question and real ways to begin, right above the composer. */
export function Starters({ folder, starters }: StartersProps) {
  return (
    <div role="log" aria-label="Conversation" aria-live="off" data-region="" tabIndex={-1} className="flex min-h-0 flex-1 flex-col justify-end overflow-y-auto outline-none">
      <div className="mx-auto w-full max-w-[min(calc(var(--measure)+2*var(--hang)),calc(100%-2rem))] px-[var(--hang)] pb-5 phone:max-w-none phone:px-5">
        <h2 className="mb-3 text-20 font-semibold tracking-[-0.01em]">What should be done in {folder}?</h2>
        {starters.map((starter) => (
          <button
            key={starter.text}
            type="button"
            onClick={starter.onChoose}
            className="relative flex min-h-9 w-full items-center rounded-lg text-left text-16 leading-6 text-muted hover:text-ink phone:min-h-11 phone:pl-[1.625rem]"
          >
            <Icon of={CornerDownRight} className="absolute left-[calc(-1*var(--hang))] text-faint phone:left-0" />
            {starter.text}
          </button>
        ))}
      </div>
    </div>
  );
}
