/**
 * `ModelPort` for everything that speaks OpenAI's chat completions (any base URL, OpenRouter, Ollama,
 * LM Studio): bytes to parts without a library between, because what servers really send is not what
 * libraries expect. The key goes to the base URL only; the model's id goes out exactly as it came in.
 */
import { ChatAnswer } from "./chat-answer";
import { chatRequestBody, type ReasoningStyle } from "./chat-request";
import { FrameReader } from "./frame-reader";
import { guardStream } from "./guard-stream";
import type { LoadImage, ModelPart, ModelPort, ModelRequest } from "./model-port";
import { createProviderFetch, type TransportLimits } from "./provider-fetch";
import { failureOfHttp, failureOfTransport } from "./provider-failure";
import { readText } from "./read-text";
import { findTransportError, type TransportError } from "./transport-error";

export interface ChatEndpoint {
  /** Shown to people. */
  readonly provider: string;
  /** Ends in `/v1` or the like, without a slash; http or https. */
  readonly base_url: string;
  /** Sent as bearer token; null sends none. */
  readonly api_key: string | null;
  readonly reasoning_style: ReasoningStyle;
  readonly load_image: LoadImage;
  readonly limits: TransportLimits;
}

/** How long usage may follow after the provider said why it stopped, before the answer counts as over. */
const TAIL_TIMEOUT_MS = 3_000;

export function createChatPort(endpoint: ChatEndpoint): ModelPort {
  return {
    provider: endpoint.provider,
    stream: (request, signal) => guardStream(signal, (inner) => produce(endpoint, request, inner)),
  };
}

async function* produce(endpoint: ChatEndpoint, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart, void, undefined> {
  const secrets = endpoint.api_key === null ? [] : [endpoint.api_key];
  const body = await chatRequestBody(request, endpoint.reasoning_style, endpoint.load_image);
  const sent = await send(endpoint, body, signal);
  if (!(sent instanceof Response)) {
    yield failureOfTransport(sent, secrets);
    return;
  }
  if (!sent.ok || sent.body === null) {
    yield failureOfHttp(sent.status, sent.headers, await readText(sent), secrets, Date.now());
    return;
  }
  yield* readAnswer(sent.body, new ChatAnswer(new Set(request.tools.map((tool) => tool.name)), secrets));
}

async function send(endpoint: ChatEndpoint, body: string, signal: AbortSignal): Promise<Response | TransportError> {
  const headers: Record<string, string> = { "content-type": "application/json", accept: "text/event-stream, application/json" };
  if (endpoint.api_key !== null) headers["authorization"] = `Bearer ${endpoint.api_key}`;
  try {
    return await createProviderFetch(endpoint.limits)(`${endpoint.base_url}/chat/completions`, { method: "POST", headers, body, signal });
  } catch (error) {
    return transportErrorOf(error);
  }
}

async function* readAnswer(body: ReadableStream<Uint8Array>, answer: ChatAnswer): AsyncGenerator<ModelPart, void, undefined> {
  const frames = new FrameReader();
  const reader = body.getReader();
  let broken: TransportError | null = null;
  let tail: NodeJS.Timeout | undefined;
  const stop = (): void => void reader.cancel().catch(() => undefined);
  try {
    while (!answer.over) {
      const bytes = await reader.read().then(
        (result) => result.value ?? null,
        (error: unknown) => transportErrorOf(error),
      );
      if (!(bytes instanceof Uint8Array)) {
        broken = bytes;
        for (const frame of frames.end()) yield* answer.accept(frame);
        break;
      }
      for (const frame of frames.push(bytes)) yield* answer.accept(frame);
      if (answer.finished && tail === undefined) tail = setTimeout(stop, TAIL_TIMEOUT_MS);
    }
  } finally {
    clearTimeout(tail);
    stop();
  }
  yield* answer.end(broken);
}

function transportErrorOf(error: unknown): TransportError {
  const found = findTransportError(error);
  if (found !== null) return found;
  throw error;
}
