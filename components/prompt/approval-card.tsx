import { Hand } from "lucide-react";
import { type KeyboardEvent, memo } from "react";
import type { PromptAnswer } from "#client/prompt-store";
import type { ApprovalChoice } from "#protocol/event-values";
import type { PartOf } from "#protocol/run-view";
import { Button } from "../look/button";
import { visiblePieces } from "../words/visible-text";
import { PromptCard, PromptProblem } from "./prompt-card";
import { PromptSlot } from "./prompt-slot";
import { CHOICE_KEY, CHOICE_LABEL, isUnderWay, reasonWords, RISK_WORDS, settledApproval } from "./prompt-words";
import { SettledPrompt } from "./settled-line";

interface ApprovalCardProps {
  readonly part: PartOf<"approval">;
  /** What became of an answer given here; null when none was. The card itself settles by the journal alone. */
  readonly answer: PromptAnswer | null;
  readonly onChoose: (approvalId: string, choice: ApprovalChoice) => void;
}

export const ApprovalCard = memo(function ApprovalCard({ part, answer, onChoose }: ApprovalCardProps) {
  const sending = isUnderWay(answer) ? answer.choice : null;
  const choose = (choice: ApprovalChoice): void => {
    if (!isUnderWay(answer) && part.choices.includes(choice)) onChoose(part.approval_id, choice);
  };
  const onKey = (event: KeyboardEvent): void => {
    const choice = part.choices.find((offered) => CHOICE_KEY[offered] === event.key);
    if (choice === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    choose(choice);
  };
  return (
    <PromptSlot
      pending={part.status === "pending"}
      answeredHere={isUnderWay(answer)}
      line={<SettledPrompt line={settledApproval(part)} />}
      card={
        <PromptCard name="Approval" icon={Hand} expiresAt={part.expires_at} timeLeft={(words) => `${words} left`} onKey={onKey}>
          <h2 className="mt-0.5 text-16 leading-6 font-medium tracking-[-0.005em] text-balance [overflow-wrap:anywhere]">{part.summary}</h2>
          {part.command === null ? null : <CommandWell command={part.command} />}
          <p className="mt-2.5 text-14 [overflow-wrap:anywhere]">
            <strong className="font-medium">{RISK_WORDS[part.risk.level]}</strong> {reasonWords(part.risk.reasons)}{" "}
            {part.cwd === null ? null : <span className="text-muted">Runs in {part.cwd}.</span>}
          </p>
          <PromptProblem answer={answer} />
          <div className="-mx-3 mt-3.5 flex flex-wrap gap-2 phone:-mx-1 phone:-mb-1 phone:grid phone:grid-cols-2 [@media(width<360px)]:grid-cols-1">
            {part.choices.map((choice) => (
              <ChoiceButton key={choice} choice={choice} sending={sending} onChoose={choose} />
            ))}
          </div>
        </PromptCard>
      }
    />
  );
});

/** Exactly what will run, wrapped, never cut; what would hide is written out. */
function CommandWell({ command }: { readonly command: string }) {
  return (
    <div className="-mx-3 mt-2.5 max-h-[40dvh] overflow-y-auto rounded-lg bg-attend-well px-3 py-2 text-command whitespace-pre-wrap mono shadow-[inset_0_0_0_1px_color-mix(in_oklch,var(--attend-line)_45%,transparent)] thin-scroll [overflow-wrap:anywhere] [tab-size:4] phone:-mx-1 phone:py-2.5">
      {visiblePieces(command).map((piece, index) => (piece.escaped ? <span key={index} className="text-attend">{piece.text}</span> : piece.text))}
    </div>
  );
}

interface ChoiceButtonProps {
  readonly choice: ApprovalChoice;
  readonly sending: ApprovalChoice | null;
  readonly onChoose: (choice: ApprovalChoice) => void;
}

const PLACE: Readonly<Record<ApprovalChoice, string>> = {
  once: "phone:col-span-full",
  session: "",
  always: "",
  deny: "ml-auto phone:ml-0 phone:col-span-full",
};

function ChoiceButton({ choice, sending, onChoose }: ChoiceButtonProps) {
  const isSending = sending === choice;
  return (
    <Button
      kind={choice === "once" ? "attendSolid" : "attendEdged"}
      aria-disabled={sending !== null}
      onClick={() => onChoose(choice)}
      className={`h-9 phone:text-14 ${PLACE[choice]}`}
    >
      <span className="grid">
        <span className={`col-start-1 row-start-1 ${isSending ? "invisible" : ""}`}>{CHOICE_LABEL[choice]}</span>
        {isSending ? <span className="col-start-1 row-start-1 text-center">Sending</span> : null}
      </span>
      <kbd aria-hidden="true" className="hidden text-12 font-normal opacity-75 font-sans group-focus-within/prompt:inline">
        {CHOICE_KEY[choice]}
      </kbd>
    </Button>
  );
}
