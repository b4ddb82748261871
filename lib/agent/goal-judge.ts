/**
 * The goal judge: after each completed turn a model says with one line of JSON whether the goal is
 * reached. A judge that cannot be understood is told apart from one that says no: the caller counts
 * the former and goes on meanwhile.
 */
import { z } from "zod";
import { askAuxiliary } from "./auxiliary";
import type { ModelPort } from "./model/model-port";

const TIMEOUT_MS = 30_000;
const ANSWER_TAIL_CHARACTERS = 4_000;

const INSTRUCTIONS = [
  "You judge whether an agent has reached its goal. Read the goal and the end of the agent's last answer.",
  'Answer with one line of JSON and nothing else: {"verdict":"done"|"continue","reason":"one short sentence"}.',
  "Say done only when the answer shows that the goal is reached, or that it cannot be reached at all.",
  "Say continue when work is left that the agent can do now.",
].join("\n");

const verdictSchema = z.object({ verdict: z.enum(["done", "continue"]), reason: z.string().catch("") });

export type Judgement =
  | { readonly kind: "verdict"; readonly verdict: "done" | "continue"; readonly reason: string }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "cancelled" };

export async function judgeGoal(input: {
  readonly port: ModelPort;
  readonly model: string;
  readonly goal: string;
  readonly answer: string;
  readonly signal: AbortSignal;
}): Promise<Judgement> {
  const reply = await askAuxiliary({
    port: input.port,
    model: input.model,
    task: "Hermes goal judge",
    instructions: INSTRUCTIONS,
    content: `Goal:\n${input.goal}\n\nEnd of the agent's last answer:\n${input.answer.slice(-ANSWER_TAIL_CHARACTERS)}`,
    timeout_ms: TIMEOUT_MS,
    max_output_tokens: 4_096,
    signal: input.signal,
  });
  if (!reply.ok) return reply.reason === "cancelled" ? { kind: "cancelled" } : { kind: "failed", message: reply.message };
  return parseVerdict(reply.text);
}

/** The last JSON object in the text; models like to say a word before it. */
export function parseVerdict(text: string): Judgement {
  for (const match of [...text.matchAll(/\{[^{}]*\}/g)].reverse()) {
    const parsed = verdictSchema.safeParse(parseJson(match[0]));
    if (parsed.success) return { kind: "verdict", verdict: parsed.data.verdict, reason: parsed.data.reason.slice(0, 500) };
  }
  return { kind: "failed", message: "The judge's answer could not be read." };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
