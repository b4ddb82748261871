/**
 * `clarify`: questions for the person. The loop asks them and gives the answers as the result, so the
 * tool itself never runs; what is here is its shape and what models really send: one question at the
 * top or several, choices as text or as objects, too many of them, the list as JSON in a string.
 */
import { z } from "zod";
import type { Question } from "#protocol/event-values";
import { defineTool, oneLine } from "./define-tool";
import type { Tool } from "./tool-port";

const MAX_QUESTIONS = 5;
const MAX_CHOICES = 4;
const MAX_QUESTION_CHARACTERS = 4000;
const MAX_CHOICE_CHARACTERS = 1000;

const choice = z.unknown().meta({ type: "string" });
const choices = z.array(choice).nullish().describe("Up to 4 answers to choose from; own words are always possible.");
const question = z.object({
  question: z.string(),
  choices,
  multi_select: z.boolean().nullish().describe("Any number of the choices may be taken."),
});
const input = z.object({
  questions: z.preprocess(parseList, z.array(question).nullish()).describe("1 to 5 questions; leave out question and choices then."),
  question: z.string().nullish(),
  choices,
  multi_select: z.boolean().nullish(),
});
type ClarifyInput = z.infer<typeof input>;

export type ParsedClarify = { readonly ok: true; readonly questions: readonly Question[] } | { readonly ok: false; readonly message: string };

/** A list that came as JSON text; anything else as it is. */
function parseList(value: unknown): unknown {
  if (typeof value !== "string" || !value.trimStart().startsWith("[")) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value; // The schema says what is wrong with it.
  }
}

/** The words of a choice: itself, or the first of the names under which models hide them. */
function wordsOf(given: unknown): string {
  if (typeof given === "string") return given.trim();
  if (typeof given === "number" || typeof given === "boolean") return String(given);
  if (typeof given !== "object" || given === null) return "";
  const found = ["label", "description", "text", "title"].map((name) => Reflect.get(given, name)).find((words) => typeof words === "string" && words.trim() !== "");
  return typeof found === "string" ? found.trim() : "";
}

function toQuestion(asked: z.infer<typeof question>, index: number): Question {
  const words = (asked.choices ?? []).map((given) => wordsOf(given).slice(0, MAX_CHOICE_CHARACTERS));
  const offered = [...new Set(words.filter((word) => word !== ""))].slice(0, MAX_CHOICES);
  return {
    id: `q${index + 1}`,
    question: asked.question.trim().slice(0, MAX_QUESTION_CHARACTERS),
    choices: offered,
    multi_select: asked.multi_select === true && offered.length > 0,
    allow_free_text: true,
  };
}

function questionsOf(asked: ClarifyInput): readonly z.infer<typeof question>[] {
  if (asked.questions !== null && asked.questions !== undefined && asked.questions.length > 0) return asked.questions;
  return asked.question === null || asked.question === undefined ? [] : [{ question: asked.question, choices: asked.choices, multi_select: asked.multi_select }];
}

/** The questions of a call, with ids `q1` … `q5`, or what is wrong with it, in words for the model. */
export function parseClarify(given: unknown): ParsedClarify {
  const parsed = input.safeParse(given);
  if (!parsed.success) return { ok: false, message: "The arguments do not fit clarify: give question, or questions with a question each." };
  const questions = questionsOf(parsed.data).map(toQuestion);
  if (questions.length === 0 || questions.some((asked) => asked.question === "")) return { ok: false, message: "clarify needs a question that is not empty." };
  if (questions.length > MAX_QUESTIONS) return { ok: false, message: `clarify takes at most ${MAX_QUESTIONS} questions at once.` };
  return { ok: true, questions };
}

export function createClarify(): Tool {
  return defineTool({
    name: "clarify",
    description: "Asks the person and waits for the answer. Only for what you can't find out or decide yourself.",
    kind: "ask",
    input,
    title: (asked) => oneLine(questionsOf(asked)[0]?.question ?? "question"),
    run(asked) {
      const parsed = parseClarify(asked);
      return Promise.resolve({ status: "error", result: parsed.ok ? "Nobody can be asked here. Use your best judgement and go on." : parsed.message });
    },
  });
}
