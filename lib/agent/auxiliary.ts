/**
 * A model request beside the conversation (judge, title, compression): no tools, a system message
 * whose first line names the task, one answer text. Bounded in time and in size, whatever the server
 * makes of the limit it is given; never throws; its text never reaches the run's own segments.
 */
import type { ModelUsage, ModelPort } from "./model/model-port";

/** Far more than any tokenizer makes of ordinary text. */
const MOST_CHARACTERS_PER_TOKEN = 16;

export interface AuxiliaryRequest {
  readonly port: ModelPort;
  readonly model: string;
  /** First line of the system message, e.g. "Hermes title". */
  readonly task: string;
  readonly instructions: string;
  readonly content: string;
  readonly timeout_ms: number;
  readonly max_output_tokens: number;
  readonly signal: AbortSignal;
}

export type AuxiliaryAnswer =
  | { readonly ok: true; readonly text: string; readonly usage: ModelUsage | null }
  | { readonly ok: false; readonly reason: "cancelled" | "timeout" | "failed" | "empty"; readonly message: string };

export async function askAuxiliary(request: AuxiliaryRequest): Promise<AuxiliaryAnswer> {
  const timeout = AbortSignal.timeout(request.timeout_ms);
  const signal = AbortSignal.any([request.signal, timeout]);
  let text = "";
  let usage: ModelUsage | null = null;
  const parts = request.port.stream(
    {
      model: request.model,
      messages: [
        { role: "system", content: `${request.task}\n${request.instructions}` },
        { role: "user", content: request.content },
      ],
      tools: [],
      reasoning: null,
      max_output_tokens: request.max_output_tokens,
    },
    signal,
  );
  for await (const part of parts) {
    if (part.type === "text") text += part.text;
    if (part.type === "usage") usage = part.usage;
    if (text.length > request.max_output_tokens * MOST_CHARACTERS_PER_TOKEN) break;
    if (part.type !== "failure") continue;
    if (request.signal.aborted) return { ok: false, reason: "cancelled", message: "Stopped." };
    if (timeout.aborted) return { ok: false, reason: "timeout", message: "The model did not answer in time." };
    return { ok: false, reason: "failed", message: part.message };
  }
  const answer = text.trim();
  return answer === "" ? { ok: false, reason: "empty", message: "The model sent no text." } : { ok: true, text: answer, usage };
}
