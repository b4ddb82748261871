/** OpenAI's responses, Anthropic and Google through their libraries, against loopback servers that speak their wire formats. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelMessage } from "#protocol/model-message";
import { errorReply, rawReply, silentReply, type Reply, type ReplyStep } from "#testing/model-replies";
import { startModelServer, type ModelServer } from "#testing/model-server";
import type { ModelPart, ModelPort } from "./model-port";
import { knownModel } from "./provider-catalog";
import { DEFAULT_TRANSPORT_LIMITS, type TransportLimits } from "./provider-fetch";
import { createProviderPort } from "./provider-port";
import { askFor, collectOutcome } from "./read-outcome.fixture";

type Kind = "openai" | "anthropic" | "google";
const KEY = "sk-canary-abcdef123456";
let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

function open(kind: Kind, limits: Partial<TransportLimits> = {}): ModelPort {
  const definition = { id: kind, name: kind, kind, base_url: server.url, api_key: KEY, unavailable: null, models: [knownModel(kind, "m")], listing: "none" as const };
  return createProviderPort(definition, { load_image: async () => new Uint8Array([1, 2, 3]), limits: { ...DEFAULT_TRANSPORT_LIMITS, ...limits } });
}

function events(list: readonly Readonly<Record<string, unknown>>[], ending: readonly ReplyStep[] = []): Reply {
  const frames = list.map((event): ReplyStep => ({ kind: "bytes", bytes: `${"type" in event ? `event: ${String(event["type"])}\n` : ""}data: ${JSON.stringify(event)}\n\n` }));
  return rawReply([...frames, ...ending]);
}

const anthropicStart = { type: "message_start", message: { id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage: { input_tokens: 11, output_tokens: 1 } } };
const anthropicText = (text: string): readonly Readonly<Record<string, unknown>>[] => [
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
  { type: "content_block_stop", index: 0 },
];
const anthropicCall = (json: string): readonly Readonly<Record<string, unknown>>[] => [
  { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "toolu_1", name: "read_file", input: {} } },
  { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: json } },
  { type: "content_block_stop", index: 1 },
];
const anthropicEnd = (reason: string): readonly Readonly<Record<string, unknown>>[] => [
  { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: "message_stop" },
];
const openaiStart = { type: "response.created", response: { id: "r", created_at: 1, model: "m" } };
const openaiText = (text: string): readonly Readonly<Record<string, unknown>>[] => [
  { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "msg_1" } },
  { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: text },
];
const openaiEnd = { type: "response.completed", response: { id: "r", usage: { input_tokens: 11, output_tokens: 7, input_tokens_details: { cached_tokens: 2 }, output_tokens_details: { reasoning_tokens: 3 } } } };
const googleChunk = (parts: readonly unknown[], finishReason?: string): Readonly<Record<string, unknown>> => ({
  candidates: [{ content: { parts, role: "model" }, ...(finishReason === undefined ? {} : { finishReason }) }],
  usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
});

const whole: Record<Kind, Reply> = {
  anthropic: events([
    anthropicStart,
    { type: "content_block_start", index: 9, content_block: { type: "thinking", thinking: "" } },
    { type: "content_block_delta", index: 9, delta: { type: "thinking_delta", thinking: "weigh" } },
    { type: "content_block_stop", index: 9 },
    ...anthropicText("Quartz"),
    ...anthropicCall('{"path":"x"}'),
    ...anthropicEnd("tool_use"),
  ]),
  openai: events([
    openaiStart,
    { type: "response.output_item.added", output_index: 0, item: { type: "reasoning", id: "rs_1" } },
    { type: "response.reasoning_summary_part.added", item_id: "rs_1", summary_index: 0 },
    { type: "response.reasoning_summary_text.delta", item_id: "rs_1", summary_index: 0, delta: "weigh" },
    ...openaiText("Quartz"),
    { type: "response.output_item.added", output_index: 1, item: { type: "function_call", id: "fc_1", call_id: "c1", name: "read_file", arguments: "" } },
    { type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 1, delta: '{"path":"x"}' },
    { type: "response.output_item.done", output_index: 1, item: { type: "function_call", id: "fc_1", call_id: "c1", name: "read_file", arguments: '{"path":"x"}', status: "completed" } },
    openaiEnd,
  ]),
  google: events([googleChunk([{ text: "weigh", thought: true }]), googleChunk([{ text: "Quartz" }]), googleChunk([{ functionCall: { name: "read_file", args: { path: "x" } } }], "STOP")]),
};
const cut: Record<Kind, Reply> = {
  anthropic: events([anthropicStart, ...anthropicText("Quartz").slice(0, 2)]),
  openai: events([openaiStart, ...openaiText("Quartz")]),
  google: events([googleChunk([{ text: "Quartz" }])]),
};
const kinds: readonly Kind[] = ["anthropic", "openai", "google"];

describe.each(kinds)("%s", (kind) => {
  it("hands on reasoning, text, a call and usage", async () => {
    server.script(() => whole[kind]);
    const seen = await collectOutcome(open(kind), askFor("hi", { model: kind === "google" ? "gemini-2.5-flash" : "m" }));
    expect(seen).toMatchObject({ outcome: "completed", reasoning: "weigh", text: "Quartz", tools: [["read_file", '{"path":"x"}']] });
    expect(seen.usage).toMatchObject({ input_tokens: 11, output_tokens: 7 });
    expect(seen.parts.at(-1)).toEqual({ type: "finish", reason: "tool_calls" });
  });

  it("B144: keeps the text of a cut answer and calls it incomplete", async () => {
    server.script(() => cut[kind]);
    expect(await collectOutcome(open(kind), askFor("hi"))).toMatchObject({ outcome: "failed:provider_incomplete", text: "Quartz" });
    server.script(() => ({ ...cut[kind], steps: [...cut[kind].steps, { kind: "pause", ms: 10 }, { kind: "reset" }] }));
    expect(await collectOutcome(open(kind), askFor("hi"))).toMatchObject({ outcome: "failed:provider_incomplete", text: "Quartz" });
  });

  it.each([
    [401, "provider_auth", false],
    [404, "model_not_found", false],
    [429, "provider_rate_limited", true],
    [503, "provider_overloaded", true],
    [302, "provider_bad_request", false],
  ] as const)("maps HTTP %i and shows no key", async (status, code, retryable) => {
    const error = { type: "error", message: `no, ${KEY}`, code: status, status: "X" };
    server.script(() => errorReply(status, error, { "retry-after": "2", location: "http://127.0.0.1:9/" }));
    const seen = await collectOutcome(open(kind), askFor("hi"));
    expect(seen.parts).toMatchObject([{ type: "failure", code, retryable, retry_after_s: 2 }]);
    expect(JSON.stringify(seen)).not.toContain("canary");
    expect(server.chats).toHaveLength(1);
  });

  it("tells silence and a refused connection apart", async () => {
    server.script(() => silentReply());
    expect((await collectOutcome(open(kind, { first_byte_timeout_ms: 50 }), askFor("hi"))).outcome).toBe("failed:provider_timeout");
    const port = open(kind);
    await server.close();
    expect((await collectOutcome(port, askFor("hi"))).outcome).toBe("failed:provider_unreachable");
    server = await startModelServer();
  });

  it("closes the connection on abort", async () => {
    server.script(() => ({ ...cut[kind], steps: [...cut[kind].steps, { kind: "hold" }] }));
    const stop = new AbortController();
    const parts: ModelPart[] = [];
    for await (const part of open(kind).stream(askFor("hi"), stop.signal)) {
      parts.push(part);
      stop.abort();
    }
    expect(parts.at(-1)).toMatchObject({ type: "failure", aborted: true });
    expect(await server.chats[0]?.closed).toBe("client");
  });

  it("sends a whole conversation with tools, results and an image, under the exact model id", async () => {
    server.script(() => whole[kind]);
    const messages: readonly ModelMessage[] = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "look", images: [{ attachment_id: "a", name: "a.png", mime: "image/png" }] },
      { role: "assistant", content: "", tool_calls: [{ id: "call_1", name: "read_file", arguments: { path: "a" } }, { id: "call_2", name: "list_workspace", arguments: {} }] },
      { role: "tool", tool_call_id: "call_1", name: "read_file", content: "text" },
      { role: "tool", tool_call_id: "call_2", name: "list_workspace", content: "" },
    ];
    await collectOutcome(open(kind), askFor("", { messages, model: "fam:27b-q8_0" }));
    const sent = server.chats[0];
    const text = `${sent?.path} ${JSON.stringify(sent?.body)}`;
    for (const word of ["fam:27b-q8_0", "Be brief.", "look", "AQID", "read_file", "list_workspace", "(no output)"]) expect(text).toContain(word);
    if (kind !== "google") for (const word of ["call_1", "call_2"]) expect(text.split(word)).toHaveLength(3);
  });
});

describe("what only one of them does", () => {
  it("Anthropic: an overload told in the stream, and a call cut by the output limit", async () => {
    server.script(() => events([anthropicStart, ...anthropicText("Quartz"), { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }]));
    expect(await collectOutcome(open("anthropic"), askFor("hi"))).toMatchObject({ outcome: "failed:provider_overloaded", text: "Quartz" });
    server.script(() => events([anthropicStart, ...anthropicCall('{"path":"x","con'), ...anthropicEnd("max_tokens")]));
    expect(await collectOutcome(open("anthropic"), askFor("hi"))).toMatchObject({ outcome: "failed:provider_incomplete", tools: [] });
  });

  it("Anthropic: reasoning by effort or by budget, and none in mid-turn for the older ones", async () => {
    server.script(() => whole.anthropic);
    const asked = async (model: string, messages: readonly ModelMessage[]): Promise<unknown> => {
      await collectOutcome(open("anthropic"), askFor("", { model, messages, reasoning: "low" }));
      return server.chats.at(-1)?.body;
    };
    const start: ModelMessage = { role: "user", content: "hi" };
    const step: readonly ModelMessage[] = [
      { role: "assistant", content: "", tool_calls: [{ id: "call_1", name: "read_file", arguments: {} }] },
      { role: "tool", tool_call_id: "call_1", name: "read_file", content: "x" },
    ];
    expect(await asked("claude-sonnet-4-6", [start, ...step])).toMatchObject({ thinking: { type: "adaptive" }, output_config: { effort: "low" } });
    expect(await asked("claude-sonnet-4-5", [start])).toMatchObject({ thinking: { type: "enabled", budget_tokens: 2_048 } });
    expect(await asked("claude-sonnet-4-5", [start, ...step])).not.toHaveProperty("thinking");
  });

  it("OpenAI: nothing is stored there, and a level is passed on", async () => {
    server.script(() => whole.openai);
    await collectOutcome(open("openai"), askFor("hi", { model: "gpt-5.5", reasoning: "high" }));
    expect(server.chats[0]?.body).toMatchObject({ store: false, reasoning: { effort: "high" } });
  });
});
