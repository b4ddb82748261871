/** A person's answers against the questions that were asked: known ids only, one or many as asked, free text only where allowed. */
import type { Answers, Question } from "#protocol/event-values";
import { refused, succeeded } from "#protocol/control";
import type { ClarifyAnswer, Outcome } from "#protocol/control";

const ANSWER_LIMIT_CHARACTERS = 100_000;

export function readAnswers(questions: readonly Question[], answer: ClarifyAnswer): Outcome<Answers> {
  const given = "answers" in answer ? answer.answers : firstAnswer(questions, answer.response);
  const known = new Map(questions.map((question) => [question.id, question]));
  const answers: Answers = {};
  for (const [id, value] of Object.entries(given)) {
    const question = known.get(id);
    if (question === undefined) return wrong(`answers.${id.slice(0, 60)}`, "is no question of this prompt");
    const values = Array.isArray(value) ? value : [value];
    if (values.length > 1 && !question.multi_select) return wrong(`answers.${id}`, "takes one answer");
    if (values.some((text) => text.length > ANSWER_LIMIT_CHARACTERS)) return wrong(`answers.${id}`, "is too long");
    if (!question.allow_free_text && values.some((text) => !question.choices.includes(text))) return wrong(`answers.${id}`, "was not offered");
    answers[id] = value;
  }
  const empty = Object.values(answers).every((value) => (Array.isArray(value) ? value : [value]).every((text) => text.trim() === ""));
  return empty ? wrong("answers", "holds no answer") : succeeded(answers);
}

function firstAnswer(questions: readonly Question[], response: string): Answers {
  const first = questions[0];
  return first === undefined ? {} : { [first.id]: response };
}

function wrong(path: string, message: string): Outcome<never> {
  return refused("invalid_request", `The answer does not fit: ${message}.`, { issues: [{ path, message }] });
}
