import type { LucideIcon } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import type { PromptAnswer } from "#client/prompt-store";
import { Icon } from "../look/icon";
import { useNow } from "../look/use-now";
import { remainingWords } from "../words/time-words";
import { problemWords } from "./prompt-words";

interface PromptCardProps {
  readonly name: "Approval" | "Question";
  readonly icon: LucideIcon;
  readonly expiresAt: number | null;
  /** How the time left is told: "4 min 12 s left", "goes on alone in 54 min". */
  readonly timeLeft: (words: string) => string;
  readonly onKey?: (event: KeyboardEvent) => void;
  readonly children: ReactNode;
}

/** The one loud thing on the page: a filled card that waits for the person. */
export function PromptCard({ name, icon, expiresAt, timeLeft, onKey, children }: PromptCardProps) {
  const now = useNow(expiresAt !== null);
  return (
    // Keys count only while the focus is in the card; every one of them has its button.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      role="group"
      aria-label={name}
      tabIndex={-1}
      data-prompt=""
      data-edge=""
      onKeyDown={onKey}
      className="attend group/prompt hang outline-offset-2 outline-accent focus:outline-2 relative mb-1 animate-rise rounded-2xl bg-attend-card pt-3.5 pb-3 shadow-[inset_0_0_0_1.5px_var(--attend-line),var(--lift)]"
    >
      <div className="flex items-center gap-1.5 text-13 font-medium text-attend">
        <Icon of={icon} className="-ml-px text-attend-mark" />
        Waiting for you
        {expiresAt === null ? null : (
          <span className="ml-auto font-normal text-muted tabular" suppressHydrationWarning>
            {timeLeft(remainingWords(expiresAt, now))}
          </span>
        )}
      </div>
      {children}
    </section>
  );
}

/** Said in the card when an answer did not get through; the card can be used again at once. */
export function PromptProblem({ answer }: { readonly answer: PromptAnswer | null }) {
  const text = answer?.status === "failed" ? problemWords(answer.failure) : null;
  return (
    <p role="alert" className={`text-14 text-bad ${text === null ? "" : "mt-2.5"}`}>
      {text}
    </p>
  );
}
