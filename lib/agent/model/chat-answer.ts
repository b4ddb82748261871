/**
 * The tolerant reader: frames of a chat completion → parts, as they come. Nothing that can be shown
 * waits for what comes later, save a possible tag; calls wait for the end, because only there it is
 * known that they are whole. `[DONE]` ends the answer at once, whether or not the socket closes.
 */
import { readChatChunk, type ChatChunk } from "./chat-chunk";
import type { Frame } from "./frame-reader";
import type { ModelPart, ModelUsage } from "./model-port";
import { parseJson, readProviderError } from "./provider-error";
import { failureOfAnswerError, providerFailure, type FailurePart } from "./provider-failure";
import { safeText } from "./safe-text";
import { settleAnswer, type FinishReason } from "./settle-answer";
import { ThinkTagSplitter, type SplitPart } from "./think-tags";
import { ToolCallBuffer } from "./tool-call-buffer";
import type { TransportError } from "./transport-error";

const MOST_WARNINGS = 3;

/** What is not here is a normal stop, whatever it is called. */
const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ["length", "length"],
  ["max_tokens", "length"],
  ["model_length", "length"],
  ["max_output_tokens", "length"],
  ["content_filter", "filtered"],
  ["safety", "filtered"],
  ["error", "error"],
  ["insufficient_system_resource", "error"],
]);

export class ChatAnswer {
  readonly #secrets: readonly string[];
  readonly #splitter = new ThinkTagSplitter();
  readonly #calls: ToolCallBuffer;
  #finish: FinishReason | null = null;
  #usage: ModelUsage | null = null;
  #failure: FailurePart | null = null;
  #done = false;
  #shown = false;
  #readable = 0;
  #unreadable = 0;
  #callsDamaged = false;

  /** `tools`: names of the tools that were offered. */
  constructor(tools: ReadonlySet<string>, secrets: readonly string[]) {
    this.#calls = new ToolCallBuffer(tools);
    this.#secrets = secrets;
  }

  /** Nothing more needs to be read. */
  get over(): boolean {
    return this.#done || this.#failure !== null;
  }

  /** The provider said why it stopped; only usage may still come. */
  get finished(): boolean {
    return this.#finish !== null;
  }

  /** The parts that this frame shows. */
  accept(frame: Frame): readonly ModelPart[] {
    if (this.over) return [];
    if (frame.kind === "oversized") return this.#fail(providerFailure({ code: "provider_malformed", words: "A frame of it is too large." }, this.#secrets));
    if (frame.kind === "json") return this.#acceptBody(frame.value);
    const data = frame.data.trim();
    if (data === "") return [];
    if (data === "[DONE]") {
      this.#done = true;
      return [];
    }
    const values = parseData(data);
    if (frame.name === "error") return this.#fail(failureOfAnswerError(readProviderError(values?.[0] ?? data), this.#secrets));
    if (values === null) return frame.tail ? this.#acceptCutFrame() : this.#warn(data);
    const parts = values.flatMap((value) => (this.over ? [] : this.#acceptValue(value, data)));
    this.#done = this.#done || data.endsWith("\n[DONE]");
    return parts;
  }

  /** The last parts. `error`: why the bytes stopped, null when the body ended by itself. Call once. */
  end(error: TransportError | null): readonly ModelPart[] {
    const rest = this.#show(this.#splitter.end());
    const usage: readonly ModelPart[] = this.#usage === null ? [] : [{ type: "usage", usage: this.#usage }];
    if (this.#failure !== null) return [...rest, ...usage, this.#failure];
    const reason = this.#finish;
    const settled = settleAnswer(
      {
        ending: reason !== null ? { kind: "finished", reason } : this.#done ? { kind: "done" } : { kind: "cut", error },
        calls: this.#calls.calls,
        usage: this.#usage,
        shown: this.#shown,
        readable: this.#readable,
        unreadable: this.#unreadable,
        calls_damaged: this.#callsDamaged,
      },
      this.#secrets,
    );
    return [...rest, ...settled];
  }

  /** The end came inside a frame: something was being sent. */
  #acceptCutFrame(): readonly ModelPart[] {
    this.#readable += 1;
    return [];
  }

  /** The whole body was one JSON text: a whole answer, or an error. */
  #acceptBody(value: unknown): readonly ModelPart[] {
    const chunk = readChatChunk(value);
    const error = readProviderError(value);
    if (chunk?.recognised !== true && error.message !== "") return this.#fail(failureOfAnswerError(error, this.#secrets));
    const parts = this.#acceptValue(value, "");
    this.#done = this.#done || chunk?.whole === true;
    return parts;
  }

  #acceptValue(value: unknown, data: string): readonly ModelPart[] {
    const chunk = readChatChunk(value);
    if (chunk === null) return this.#warn(data);
    this.#usage = chunk.usage ?? this.#usage;
    if (chunk.error !== null) return this.#fail(failureOfAnswerError(chunk.error, this.#secrets));
    if (chunk.recognised) this.#readable += 1;
    return this.#acceptChunk(chunk);
  }

  #acceptChunk(chunk: ChatChunk): readonly ModelPart[] {
    const repeated = chunk.whole && (this.#shown || this.#calls.calls.length > 0);
    const parts: ModelPart[] = [];
    if (!repeated) {
      parts.push(...this.#show(chunk.reasoning === "" ? [] : [{ type: "reasoning", text: chunk.reasoning }]));
      parts.push(...this.#show(this.#splitter.push(chunk.text)));
      for (const call of chunk.calls) this.#calls.add(call);
    }
    if (chunk.finish !== null) this.#finish = FINISH_REASONS.get(chunk.finish) ?? "stop";
    return parts;
  }

  #show(parts: readonly SplitPart[]): readonly ModelPart[] {
    if (parts.length > 0) this.#shown = true;
    return parts;
  }

  #fail(failure: FailurePart): readonly ModelPart[] {
    this.#failure = failure;
    return [];
  }

  #warn(data: string): readonly ModelPart[] {
    this.#unreadable += 1;
    if (this.#calls.calls.length > 0) this.#callsDamaged = true;
    if (this.#unreadable > MOST_WARNINGS) return [];
    return [{ type: "warning", text: `A frame of the answer could not be read: ${safeText(data, this.#secrets, 80)}` }];
  }
}

/** The JSON values of a frame; servers that forget the blank line put several into one. Null when any is no JSON. */
function parseData(data: string): readonly unknown[] | null {
  const whole = parseJson(data);
  if (whole !== undefined) return [whole];
  const lines = data.split("\n").filter((line) => line.trim() !== "" && line.trim() !== "[DONE]");
  const values = lines.map(parseJson);
  return lines.length > 0 && !values.includes(undefined) ? values : null;
}
