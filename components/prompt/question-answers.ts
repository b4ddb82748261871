/** What the person has chosen and typed in a question card, and the answers that are made of it. */
import type { Answers, Question } from "#protocol/event-values";

export interface QuestionDraft {
  readonly chosen: readonly string[];
  readonly words: string;
}
export type QuestionDrafts = Readonly<Record<string, QuestionDraft>>;

export const EMPTY_DRAFT: QuestionDraft = { chosen: [], words: "" };

/** Own words stand in place of one choice, and beside several. */
export function toggleChoice(question: Question, draft: QuestionDraft, choice: string): QuestionDraft {
  if (!question.multi_select) return { chosen: [choice], words: "" };
  const chosen = draft.chosen.includes(choice) ? draft.chosen.filter((other) => other !== choice) : [...draft.chosen, choice];
  return { ...draft, chosen: question.choices.filter((other) => chosen.includes(other)) };
}

export function writeWords(question: Question, draft: QuestionDraft, words: string): QuestionDraft {
  return { chosen: question.multi_select || words === "" ? draft.chosen : [], words };
}

/** Answers by question id; a question without any is left out. Null when nothing was chosen or written at all. */
export function answersOf(questions: readonly Question[], drafts: QuestionDrafts): Answers | null {
  const answers: Record<string, string | string[]> = {};
  for (const question of questions) {
    const { chosen, words } = drafts[question.id] ?? EMPTY_DRAFT;
    const own = words.trim() === "" ? [] : [words];
    if (question.multi_select) {
      if (chosen.length + own.length > 0) answers[question.id] = [...chosen, ...own];
    } else {
      const [answer] = [...own, ...chosen];
      if (answer !== undefined) answers[question.id] = answer;
    }
  }
  return Object.keys(answers).length === 0 ? null : answers;
}

/** All own words, as they are kept when the question goes away unanswered. */
export function ownWords(drafts: QuestionDrafts): string {
  return Object.values(drafts)
    .map((draft) => draft.words.trim())
    .filter((words) => words !== "")
    .join("\n");
}
