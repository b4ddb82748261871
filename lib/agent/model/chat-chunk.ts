/**
 * One frame of a chat completion as servers really send it, read into one neutral shape. Every field
 * is optional and any field of the wrong type counts as absent, because one odd field must not cost
 * the rest of the frame; what is recognised is what the reader acts on.
 */
import { z } from "zod";
import type { ModelUsage } from "./model-port";
import { readProviderError, type ProviderError } from "./provider-error";

export interface CallDelta {
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly arguments: string;
}

export interface ChatChunk {
  /** In the order in which they are to be shown. */
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly CallDelta[];
  readonly finish: string | null;
  readonly usage: ModelUsage | null;
  readonly error: ProviderError | null;
  /** A whole `message` instead of a `delta`. */
  readonly whole: boolean;
  /** False for an object that has nothing of a chat completion in it (a ping). */
  readonly recognised: boolean;
}

const string = z.string().nullish().catch(null);
const count = z.number().nonnegative().nullish().catch(null);
const label = z.union([z.string(), z.number().transform(String)]).nullish().catch(null);
const piece = z.looseObject({ type: string, text: string, summary: string, thinking: z.unknown().optional(), refusal: string }).nullable().catch(null);
const content = z.union([z.string(), z.array(z.union([z.string(), piece]))]).nullish().catch(null);
const functionSchema = z.looseObject({ name: string, arguments: z.unknown().optional() }).nullish().catch(null);
/** A missing or null index is no index, never 0. */
const position = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).nullish().catch(null);
const callSchema = z
  .looseObject({ index: position, id: label, function: functionSchema })
  .nullable()
  .catch(null);
const messageSchema = z
  .looseObject({
    content,
    refusal: string,
    reasoning_content: content,
    reasoning: content,
    thinking: content,
    reasoning_details: content,
    tool_calls: z.array(callSchema).nullish().catch(null),
    function_call: functionSchema,
  })
  .nullish()
  .catch(null);
const choiceSchema = z
  .looseObject({ index: count, delta: messageSchema, message: messageSchema, text: string, finish_reason: string })
  .nullable()
  .catch(null);
const usageSchema = z
  .looseObject({
    prompt_tokens: count,
    completion_tokens: count,
    input_tokens: count,
    output_tokens: count,
    prompt_cache_hit_tokens: count,
    prompt_tokens_details: z.looseObject({ cached_tokens: count, cache_write_tokens: count }).nullish().catch(null),
    completion_tokens_details: z.looseObject({ reasoning_tokens: count }).nullish().catch(null),
  })
  .nullish()
  .catch(null);
const chunkSchema = z.looseObject({
  choices: z.array(choiceSchema).nullish().catch(null),
  usage: usageSchema,
  x_groq: z.looseObject({ usage: usageSchema }).nullish().catch(null),
  error: z.unknown().optional(),
  object: string,
});
/** What servers write into `error` when there is none. */
const NO_ERROR: readonly unknown[] = [undefined, null, false, ""];
type Message = z.infer<typeof messageSchema>;

/** The chunk in a parsed JSON value, or null when it is no object. */
export function readChatChunk(value: unknown): ChatChunk | null {
  const parsed = chunkSchema.safeParse(value);
  if (!parsed.success) return null;
  const chunk = parsed.data;
  const choices = (chunk.choices ?? []).filter((choice) => choice !== null && (choice.index ?? 0) === 0);
  const choice = choices[0];
  const message = choice?.delta ?? choice?.message;
  const usage = readUsage(chunk.usage ?? chunk.x_groq?.usage);
  const failed = !NO_ERROR.includes(chunk.error) || chunk.object === "error";
  const whole = choice?.delta == null && choice?.message != null;
  return {
    reasoning: readReasoning(message),
    text: joinText(message?.content) + (message?.refusal ?? "") + (message == null ? (choice?.text ?? "") : ""),
    calls: readCalls(message, whole),
    finish: choice?.finish_reason?.trim().toLowerCase() || null,
    usage,
    error: failed ? readProviderError(value) : null,
    whole,
    recognised: failed || usage !== null || chunk.choices != null,
  };
}

/** Providers name the same thinking by several fields at once: the first that says something counts. */
function readReasoning(message: Message): string {
  const fields = [message?.reasoning_content, message?.reasoning, message?.thinking, message?.reasoning_details];
  const field = fields.map(joinText).find((text) => text !== "") ?? "";
  return field + thinkingPieces(message?.content);
}

/** The text of a plain string or of an array of parts; parts that think are left out. */
function joinText(value: z.infer<typeof content>): string {
  if (typeof value === "string") return value;
  return (value ?? [])
    .map((part) => (typeof part === "string" ? part : (part?.text ?? part?.summary ?? part?.refusal ?? "")))
    .join("");
}

function thinkingPieces(value: z.infer<typeof content>): string {
  if (typeof value === "string") return "";
  return (value ?? []).map((part) => (typeof part === "string" ? "" : joinText(content.parse(part?.thinking)))).join("");
}

/** Calls of a whole message stand side by side; only there the position may serve as index. */
function readCalls(message: Message, whole: boolean): readonly CallDelta[] {
  const listed = (message?.tool_calls ?? []).filter((call) => call !== null);
  const calls = listed.map((call, at) => toCallDelta(call.index ?? (whole ? at : null), call.id ?? null, call.function));
  const legacy = message?.function_call;
  return legacy == null ? calls : [...calls, toCallDelta(null, null, legacy)];
}

function toCallDelta(index: number | null, id: string | null, called: z.infer<typeof functionSchema>): CallDelta {
  const written = called?.arguments;
  const isValue = typeof written === "object" && written !== null;
  return {
    index,
    id: id === "" ? null : id,
    name: called?.name || null,
    arguments: typeof written === "string" ? written : isValue ? JSON.stringify(written) : "",
  };
}

function readUsage(usage: z.infer<typeof usageSchema>): ModelUsage | null {
  const input = usage?.prompt_tokens ?? usage?.input_tokens ?? null;
  const output = usage?.completion_tokens ?? usage?.output_tokens ?? null;
  if (input === null && output === null) return null;
  return {
    input_tokens: input,
    output_tokens: output,
    reasoning_tokens: usage?.completion_tokens_details?.reasoning_tokens ?? null,
    cache_read_tokens: usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens ?? null,
    cache_write_tokens: usage?.prompt_tokens_details?.cache_write_tokens ?? null,
  };
}
