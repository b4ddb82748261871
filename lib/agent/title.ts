/**
 * Session titles. The fallback is a cut of the person's own words and always there; the model's is a
 * wish: it is cleaned until it is one plain line, and what does not survive that is no title.
 */
import { askAuxiliary } from "./auxiliary";
import type { ModelPort } from "./model/model-port";

const TITLE_LIMIT_CHARACTERS = 80;
const FALLBACK_LIMIT_CHARACTERS = 60;
const TIMEOUT_MS = 20_000;

const INSTRUCTIONS = "Write a title of 3 to 7 words for the conversation below, in its language. Answer with the title alone: no quotes, no label, one line.";

/** The first line of the message, cut at a word. */
export function fallbackTitle(message: string): string {
  const line = plainLine(message.split("\n").find((candidate) => candidate.trim() !== "") ?? "");
  if (line === "") return "New session";
  if (line.length <= FALLBACK_LIMIT_CHARACTERS) return line;
  const cut = cutAt(line, FALLBACK_LIMIT_CHARACTERS);
  const space = cut.lastIndexOf(" ");
  return `${cut.slice(0, space > 20 ? space : FALLBACK_LIMIT_CHARACTERS).trimEnd()}…`;
}

/** A model's answer as a title, or null when nothing usable is left. */
export function cleanTitle(answer: string): string | null {
  const withoutThinking = answer.replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi, "");
  if (/<think(?:ing)?>/i.test(withoutThinking)) return null;
  const first = withoutThinking.split("\n").find((line) => line.trim() !== "") ?? "";
  const unquoted = withoutMarks(withoutMarks(plainLine(first)).replace(/^(?:title|titel|titre|título)[*_\s]*:/i, ""));
  if (unquoted === "" || unquoted.length > 400) return null;
  return unquoted.length <= TITLE_LIMIT_CHARACTERS ? unquoted : `${cutAt(unquoted, TITLE_LIMIT_CHARACTERS - 1).trimEnd()}…`;
}

export async function modelTitle(input: {
  readonly port: ModelPort;
  readonly model: string;
  readonly question: string;
  readonly answer: string;
  readonly signal: AbortSignal;
}): Promise<string | null> {
  const reply = await askAuxiliary({
    port: input.port,
    model: input.model,
    task: "Hermes title",
    instructions: INSTRUCTIONS,
    content: `Person: ${input.question.slice(0, 500)}\n\nAgent: ${input.answer.slice(0, 500)}`,
    timeout_ms: TIMEOUT_MS,
    max_output_tokens: 500,
    signal: input.signal,
  });
  return reply.ok ? cleanTitle(reply.text) : null;
}

/** At most so long, and never half of a character. */
function cutAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

/** Without quotes and markup around it. */
function withoutMarks(text: string): string {
  return text.replace(/^["'“”‘’«»*_`#\s]+|["'“”‘’«»*_`\s]+$/g, "");
}

/** One line of plain text: tags, control and invisible characters are gone, spaces are single. */
function plainLine(text: string): string {
  return text
    .replace(/<[^<>]{0,200}>/g, "")
    .replace(/[\p{Cc}\p{Cf}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}
