import type { Question } from "#protocol/event-values";
import { type QuestionDraft, toggleChoice, writeWords } from "./question-answers";

interface QuestionFieldProps {
  /** Names the radio group in the page. */
  readonly group: string;
  readonly question: Question;
  readonly draft: QuestionDraft;
  readonly onChange: (draft: QuestionDraft) => void;
}

export function QuestionField({ group, question, draft, onChange }: QuestionFieldProps) {
  const offers = question.choices.length > 0;
  return (
    <fieldset className="mt-4 min-w-0">
      <legend className="mb-1 text-14 font-medium [overflow-wrap:anywhere] phone:mb-0">
        {question.question}
        {question.multi_select ? <span className="font-normal text-muted"> Any number</span> : null}
      </legend>
      {question.choices.map((choice) => (
        <label
          key={choice}
          className="-mx-2 flex items-start gap-2.5 rounded-lg px-2 py-1.5 text-14 touch:min-h-11 touch:gap-3 touch:py-3"
        >
          <input
            type={question.multi_select ? "checkbox" : "radio"}
            name={group}
            checked={draft.chosen.includes(choice)}
            onChange={() => onChange(toggleChoice(question, draft, choice))}
            className="tick"
          />
          <span className="min-w-0 [overflow-wrap:anywhere]">{choice}</span>
        </label>
      ))}
      {question.allow_free_text || !offers ? (
        <input
          aria-label="Your answer"
          placeholder={offers ? "Or in your own words" : "In your own words"}
          value={draft.words}
          onChange={(event) => onChange(writeWords(question, draft, event.target.value))}
          className="-mx-3 mt-3 block min-h-10 w-[calc(100%+1.5rem)] rounded-lg border border-line bg-attend-well px-3 py-[9px] text-14 phone:-mx-1 phone:w-[calc(100%+0.5rem)] touch:min-h-11 touch:text-16"
        />
      ) : null}
    </fieldset>
  );
}
