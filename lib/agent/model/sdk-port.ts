/**
 * `ModelPort` over a library's language model (OpenAI's responses, Anthropic, Google): its `doStream`
 * is called directly, without the library's own loop, retries or tool execution. The library reads
 * the provider's bytes; how the answer ends is judged by the same rules as everywhere
 * (`settle-answer`). A broken connection is shown to the library as a plain end, so that parts that
 * it has already made are not thrown away, and is told by us afterwards.
 */
import { z } from "zod";
import type { ModelFailureCode } from "#protocol/errors";
import { guardStream } from "./guard-stream";
import type { LoadImage, ModelPart, ModelPort, ModelRequest, ModelUsage } from "./model-port";
import { readErrorBody, readProviderError } from "./provider-error";
import { createProviderFetch, type TransportLimits } from "./provider-fetch";
import { failureOfAnswerError, failureOfHttp, failureOfTransport, providerFailure, type FailurePart } from "./provider-failure";
import { sdkPrompt, sdkTools, type CallOptions, type LanguageModel, type ProviderOptions } from "./sdk-prompt";
import { settleAnswer, type AnswerFacts, type FinishReason } from "./settle-answer";
import type { DraftCall } from "./tool-call-buffer";
import { findTransportError, type TransportError } from "./transport-error";

export interface SdkEndpoint {
  readonly provider: string;
  readonly api_key: string;
  /** The library's model for this id, using this fetch. */
  readonly create_model: (model: string, fetchProvider: typeof fetch) => Promise<LanguageModel>;
  readonly options: (request: ModelRequest) => ProviderOptions;
  readonly load_image: LoadImage;
  readonly limits: TransportLimits;
}

type SdkStream = Awaited<ReturnType<LanguageModel["doStream"]>>["stream"];
type SdkPart = SdkStream extends ReadableStream<infer Part> ? Part : never;
type SdkFinish = Extract<SdkPart, { readonly type: "finish" }>;

export function createSdkPort(endpoint: SdkEndpoint): ModelPort {
  return {
    provider: endpoint.provider,
    stream: (request, signal) => guardStream(signal, (inner) => new SdkAnswer(endpoint, inner).produce(request)),
  };
}

/** One request through the library. */
class SdkAnswer {
  readonly #endpoint: SdkEndpoint;
  readonly #signal: AbortSignal;
  readonly #secrets: readonly string[];
  readonly #calls: DraftCall[] = [];
  #broken: TransportError | null = null;
  #finish: SdkFinish | null = null;
  #failure: FailurePart | null = null;
  #shown = false;
  #readable = 0;
  #unreadable = 0;
  #callsDamaged = false;

  constructor(endpoint: SdkEndpoint, signal: AbortSignal) {
    this.#endpoint = endpoint;
    this.#signal = signal;
    this.#secrets = [endpoint.api_key];
  }

  async *produce(request: ModelRequest): AsyncGenerator<ModelPart, void, undefined> {
    const stream = await this.#open(request);
    const reader = stream?.getReader();
    try {
      while (reader !== undefined && this.#failure === null) {
        const { done, value } = await reader.read();
        if (done) break;
        yield* this.#accept(value);
      }
    } catch (error) {
      this.#failure = this.#failureOf(error);
    } finally {
      await reader?.cancel().catch(() => undefined);
    }
    if (this.#failure !== null) yield this.#failure;
    else yield* settleAnswer(this.#facts(), this.#secrets);
  }

  async #open(request: ModelRequest): Promise<SdkStream | null> {
    const options: CallOptions = {
      prompt: await sdkPrompt(request.messages, this.#endpoint.load_image),
      abortSignal: this.#signal,
      providerOptions: this.#endpoint.options(request),
      ...(request.tools.length > 0 ? { tools: sdkTools(request.tools), toolChoice: { type: "auto" } } : {}),
      ...(request.max_output_tokens === null ? {} : { maxOutputTokens: request.max_output_tokens }),
    };
    try {
      const model = await this.#endpoint.create_model(request.model, this.#fetch(createProviderFetch(this.#endpoint.limits)));
      return (await model.doStream(options)).stream;
    } catch (error) {
      this.#failure = this.#failureOf(error);
      return null;
    }
  }

  #accept(part: SdkPart): readonly ModelPart[] {
    if (part.type !== "stream-start") this.#readable += 1;
    if (part.type === "text-delta") return this.#show("text", part.delta);
    if (part.type === "reasoning-delta") return this.#show("reasoning", part.delta);
    if (part.type === "tool-call") this.#calls.push({ provider_call_id: part.toolCallId, name: part.toolName, raw: part.input });
    if (part.type === "finish") this.#finish = part;
    if (part.type === "error") return this.#acceptError(part.error);
    return [];
  }

  #show(type: "text" | "reasoning", text: string): readonly ModelPart[] {
    if (text === "") return [];
    this.#shown = true;
    return [{ type, text }];
  }

  /** One frame that could not be read is a warning; anything else that the library calls an error ends the answer. */
  #acceptError(error: unknown): readonly ModelPart[] {
    const frame = error instanceof Error && /JSONParse|TypeValidation/.test(error.name);
    if (!frame) {
      this.#failure = this.#failureOf(error);
      return [];
    }
    this.#unreadable += 1;
    this.#callsDamaged = true;
    return this.#unreadable > 3 ? [] : [{ type: "warning", text: "A frame of the answer could not be read." }];
  }

  #facts(): AnswerFacts {
    const reason = finishReason(this.#finish);
    return {
      ending: reason === null ? { kind: "cut", error: this.#broken } : { kind: "finished", reason },
      calls: this.#calls,
      usage: readUsage(this.#finish),
      shown: this.#shown,
      readable: this.#readable,
      unreadable: this.#unreadable,
      calls_damaged: this.#callsDamaged,
    };
  }

  #failureOf(error: unknown): FailurePart {
    const broken = findTransportError(error) ?? this.#broken;
    if (broken !== null) return failureOfTransport(broken, this.#secrets);
    const code = error instanceof Error ? LIBRARY_ERRORS.get(error.name) : undefined;
    if (code !== undefined) return providerFailure({ code, words: error instanceof Error ? error.message : "" }, this.#secrets);
    const call = apiErrorSchema.safeParse(error);
    if (call.success && call.data.statusCode != null && (call.data.statusCode < 200 || call.data.statusCode > 299)) {
      const headers = new Headers(call.data.responseHeaders ?? {});
      return failureOfHttp(call.data.statusCode, headers, call.data.responseBody ?? "", this.#secrets, Date.now());
    }
    const named = call.success && call.data.responseBody ? readErrorBody(call.data.responseBody) : readProviderError(error);
    return failureOfAnswerError(named, this.#secrets);
  }

  /** Ends a broken body plainly and remembers why. */
  #fetch(send: typeof fetch): typeof fetch {
    return async (input, init) => {
      const response = await send(input, init);
      if (response.body === null || !response.ok) return response;
      const reader = response.body.getReader();
      const body = new ReadableStream<Uint8Array>(
        {
          pull: async (controller) => {
            const next = await reader.read().catch((error: unknown) => this.#endOf(error));
            if (next.value !== undefined) controller.enqueue(next.value);
            else controller.close();
          },
          cancel: () => reader.cancel(),
        },
        { highWaterMark: 0 },
      );
      return new Response(body, { status: response.status, headers: response.headers });
    };
  }

  #endOf(error: unknown): { readonly value?: undefined } {
    const found = findTransportError(error);
    if (found === null) throw error;
    this.#broken = found;
    return {};
  }
}

/** Errors that the library makes itself, by name; those of the provider carry a status or a kind. */
const LIBRARY_ERRORS: ReadonlyMap<string, ModelFailureCode> = new Map([
  ["AI_EmptyResponseBodyError", "provider_empty"],
  ["AI_NoContentGeneratedError", "provider_empty"],
  ["AI_InvalidResponseDataError", "provider_malformed"],
  ["AI_JSONParseError", "provider_malformed"],
  ["AI_TypeValidationError", "provider_malformed"],
  ["AI_InvalidArgumentError", "provider_bad_request"],
  ["AI_InvalidPromptError", "provider_bad_request"],
  ["AI_UnsupportedFunctionalityError", "provider_bad_request"],
  ["TypeError", "provider_malformed"],
]);

const apiErrorSchema = z.looseObject({
  statusCode: z.number().nullish().catch(null),
  responseBody: z.string().nullish().catch(null),
  responseHeaders: z.record(z.string(), z.string()).nullish().catch(null),
});

const FINISH_REASONS: Record<SdkFinish["finishReason"]["unified"], FinishReason> = {
  stop: "stop",
  "tool-calls": "stop",
  length: "length",
  "content-filter": "filtered",
  error: "error",
  other: "stop",
};

/** Libraries end a cut stream with `other` and no word of the provider: that is no finish. */
function finishReason(finish: SdkFinish | null): FinishReason | null {
  if (finish === null || (finish.finishReason.unified === "other" && finish.finishReason.raw === undefined)) return null;
  return FINISH_REASONS[finish.finishReason.unified];
}

function readUsage(finish: SdkFinish | null): ModelUsage | null {
  if (finish === null) return null;
  const { inputTokens, outputTokens } = finish.usage;
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null;
  return {
    input_tokens: inputTokens.total ?? null,
    output_tokens: outputTokens.total ?? null,
    reasoning_tokens: outputTokens.reasoning ?? null,
    cache_read_tokens: inputTokens.cacheRead ?? null,
    cache_write_tokens: inputTokens.cacheWrite ?? null,
  };
}
