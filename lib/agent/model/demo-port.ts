/**
 * The `demo` provider: an offline practice model that plays the script in the user's message with the
 * real tools (`demo-script`). It is a pure function of the messages (`demo-place`), so any process
 * may go on with a run. Its token counts are words. Every wait ends at once on abort.
 */
import type { ModelMessage } from "#protocol/model-message";
import { answerAuxiliary } from "./demo-auxiliary";
import { findDemoPlace } from "./demo-place";
import { DEMO_DIRECTIVES, parseDemoScript, type DemoAction } from "./demo-script";
import { codeOfStatus } from "./failure-code";
import { guardStream } from "./guard-stream";
import type { ModelPart, ModelPort, ModelRequest } from "./model-port";
import { pause } from "./pause";
import { NO_PROVIDER_ERROR } from "./provider-error";
import { providerFailure, type FailurePart } from "./provider-failure";

type Parts = AsyncGenerator<ModelPart, void, undefined>;

/** Between the words of `say` and `think`. */
const SAY_PAUSE_MS = 3;
/** Between the words of `stream` when the script names no pause. */
const STREAM_PAUSE_MS = 10;
/** Words without a pause between them still let others have their turn. */
const WORDS_PER_TURN = 256;

export function createDemoPort(): ModelPort {
  return { provider: "demo", stream: (request, signal) => guardStream(signal, (inner) => produce(request, inner)) };
}

async function* produce(request: ModelRequest, signal: AbortSignal): Parts {
  const input = request.messages.map((message) => countWords(message.content)).reduce((sum, count) => sum + count, 0);
  let output = 0;
  let called = false;
  for await (const part of play(request.messages, signal)) {
    if (part.type === "text" || part.type === "reasoning") output += countWords(part.text);
    called = called || part.type === "tool-call";
    yield part;
    if (part.type === "failure") return;
  }
  const unknown = { reasoning_tokens: null, cache_read_tokens: null, cache_write_tokens: null };
  yield { type: "usage", usage: { input_tokens: input, output_tokens: output, ...unknown } };
  yield { type: "finish", reason: called ? "tool_calls" : "stop" };
}

async function* play(messages: readonly ModelMessage[], signal: AbortSignal): Parts {
  const auxiliary = answerAuxiliary(messages);
  if (auxiliary !== null) {
    yield { type: "text", text: auxiliary };
    return;
  }
  const place = findDemoPlace(messages);
  const steps = parseDemoScript(place.script);
  if (steps === null) {
    yield* speak("text", friendlyReply(place.script), signal);
    return;
  }
  const actions = steps[place.step] ?? [{ kind: "say", text: "Done." }];
  for (const [at, action] of actions.entries()) yield* perform(action, `demo-${place.step + 1}-${at + 1}`, signal);
}

async function* perform(action: DemoAction, callId: string, signal: AbortSignal): Parts {
  switch (action.kind) {
    case "say":
      return yield* speak("text", action.text, signal);
    case "think":
      return yield* speak("reasoning", action.text, signal);
    case "stream":
      return yield* streamWords(action.count, action.pause_ms ?? STREAM_PAUSE_MS, signal);
    case "sleep":
      return await pause(action.ms, signal);
    case "fail":
      return yield demoFailure(action.failure);
    case "call":
      yield { type: "tool-call", provider_call_id: callId, name: action.name, arguments: action.arguments, raw: JSON.stringify(action.arguments) };
  }
}

/** Word by word; the first word of a text begins a segment of its own. */
async function* speak(type: "text" | "reasoning", text: string, signal: AbortSignal): Parts {
  const words = text.match(/\s*\S+/g) ?? [];
  for (const [at, word] of words.entries()) {
    if (at > 0) await pause(SAY_PAUSE_MS, signal);
    yield part(type, word, at === 0);
  }
}

async function* streamWords(count: number, pauseMs: number, signal: AbortSignal): Parts {
  for (let number = 1; number <= count; number += 1) {
    if (number > 1 && (pauseMs > 0 || number % WORDS_PER_TURN === 0)) await pause(pauseMs, signal);
    yield part("text", number === 1 ? "w1" : ` w${number}`, number === 1);
  }
}

function part(type: "text" | "reasoning", text: string, begins: boolean): ModelPart {
  if (type === "reasoning") return { type, text };
  return begins ? { type, text, segment: true } : { type, text };
}

function demoFailure(failure: Extract<DemoAction, { readonly kind: "fail" }>["failure"]): FailurePart {
  const code = typeof failure === "number" ? codeOfStatus(failure, NO_PROVIDER_ERROR) : failure;
  return providerFailure({ code, words: "(The demo model was told to fail.)", diagnostics: { asked: String(failure) } }, []);
}

function friendlyReply(message: string): string {
  const said = message.trim();
  const quote = said.length > 300 ? `${said.slice(0, 300)}…` : said;
  const lines = DEMO_DIRECTIVES.map((directive) => `- \`${directive.usage}\` ${directive.effect}`);
  return [
    `You said: “${quote}”`,
    "",
    "I am the demo model: offline, scripted, without a mind of my own, but with the real tools. Write any of these lines, one per line:",
    "",
    ...lines,
    "",
    [
      "To talk to a real model, add one: set `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `GOOGLE_GENERATIVE_AI_API_KEY`, `OPENROUTER_API_KEY`,",
      "`OLLAMA_HOST` or `LMSTUDIO_HOST` in the profile's `.env`, or `HERMES_MODEL_BASE_URL` for any OpenAI-compatible server,",
      "and pick it as the model.",
    ].join(" "),
  ].join("\n");
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
