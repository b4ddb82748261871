import { CircleQuestionMark } from "lucide-react";
import { type FormEvent, memo, useEffect, useState } from "react";
import type { PromptAnswer } from "#client/prompt-store";
import type { Answers, Question } from "#protocol/event-values";
import type { PartOf } from "#protocol/run-view";
import { Button } from "../look/button";
import { PromptCard, PromptProblem } from "./prompt-card";
import { PromptSlot } from "./prompt-slot";
import { isUnderWay, settledQuestion } from "./prompt-words";
import { answersOf, EMPTY_DRAFT, ownWords, type QuestionDraft, type QuestionDrafts } from "./question-answers";
import { QuestionField } from "./question-field";
import { SettledPrompt } from "./settled-line";

interface QuestionCardProps {
  readonly part: PartOf<"clarify">;
  /** What became of an answer given here; null when none was. */
  readonly answer: PromptAnswer | null;
  readonly onAnswer: (clarifyId: string, answers: Answers) => void;
  /** Words that were typed and could not be given any more: they become a draft (B073). */
  readonly onLeftOver: (words: string) => void;
}

export const QuestionCard = memo(function QuestionCard({ part, answer, onAnswer, onLeftOver }: QuestionCardProps) {
  const [drafts, setDrafts] = useState<QuestionDrafts>({});
  const sending = isUnderWay(answer);
  const pending = part.status === "pending";
  const answers = answersOf(part.questions, drafts);

  // The journal closed the question: what was typed must not go with the card.
  const left = pending || part.status === "answered" ? "" : ownWords(drafts);
  useEffect(() => {
    if (left !== "") onLeftOver(left);
  }, [left, onLeftOver]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (answers !== null && !sending) onAnswer(part.clarify_id, answers);
  };
  const change = (question: Question, draft: QuestionDraft): void => setDrafts({ ...drafts, [question.id]: draft });
  return (
    <PromptSlot
      pending={pending}
      answeredHere={sending}
      line={<SettledPrompt line={settledQuestion(part)} />}
      card={
        <PromptCard name="Question" icon={CircleQuestionMark} expiresAt={part.expires_at} timeLeft={(words) => `goes on alone in ${words}`}>
          <form onSubmit={submit}>
            {part.questions.map((question) => (
              <QuestionField
                key={question.id}
                group={`${part.clarify_id}:${question.id}`}
                question={question}
                draft={drafts[question.id] ?? EMPTY_DRAFT}
                onChange={(draft) => change(question, draft)}
              />
            ))}
            <PromptProblem answer={answer} />
            <div className="-mx-3 mt-3.5 flex phone:-mx-1 phone:-mb-1">
              <Button
                kind="attendSolid"
                type="submit"
                disabled={answers === null}
                aria-disabled={sending}
                title={answers === null ? "Choose or write something first" : undefined}
                className="h-9 phone:flex-1 phone:text-14"
              >
                {sending ? "Sending" : "Answer"}
              </Button>
            </div>
          </form>
        </PromptCard>
      }
    />
  );
});
