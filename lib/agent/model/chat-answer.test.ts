import { describe, expect, it } from "vitest";
import { ChatAnswer } from "./chat-answer";
import { FrameReader } from "./frame-reader";
import type { ModelPart } from "./model-port";
import { readOutcome, type Outcome } from "./read-outcome.fixture";
import { TransportError } from "./transport-error";

const SECRET = "sk-canary-1234567890";

function read(body: string, error: TransportError | null = null): Outcome {
  const frames = new FrameReader();
  const answer = new ChatAnswer(new Set(["read_file"]), [SECRET]);
  const parts: ModelPart[] = [];
  for (const frame of [...frames.push(new TextEncoder().encode(body)), ...frames.end()]) parts.push(...answer.accept(frame));
  return readOutcome([...parts, ...answer.end(error)]);
}

function delta(value: unknown, finish: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: value, finish_reason: finish }] })}\n\n`;
}

const DONE = "data: [DONE]\n\n";
const CALL = { tool_calls: [{ index: 0, id: "a", type: "function", function: { name: "read_file", arguments: '{"path":"x"}' } }] };

describe("an answer that ends", () => {
  it.each<readonly [string, string, string]>([
    ["nothing at all", "", "failed:provider_empty"],
    ["only comments", ": hi\n\n: there\n\n", "failed:provider_empty"],
    ["a stop without a word", delta({ role: "assistant" }) + delta({}, "stop") + DONE, "failed:provider_empty"],
    ["white space only", delta({ content: "  \n" }, "stop") + DONE, "failed:provider_empty"],
    ["tool_calls without a call", delta({}, "tool_calls") + DONE, "failed:provider_empty"],
    ["a head and then nothing", delta({ role: "assistant" }), "failed:provider_incomplete"],
    ["a call without any end", delta(CALL), "failed:provider_incomplete"],
    ["a cut call, then only [DONE]", delta({ tool_calls: [{ index: 0, function: { name: "read_file", arguments: '{"pa' } }] }) + DONE, "failed:provider_incomplete"],
    ["length before the arguments began", delta({ tool_calls: [{ index: 0, function: { name: "read_file", arguments: "" } }] }, "length") + DONE, "failed:provider_incomplete"],
    ["a filtered answer", delta({ content: "Well" }) + delta({}, "content_filter") + DONE, "failed:content_filtered"],
    ["finish_reason error", delta({ content: "Well" }) + delta({}, "error") + DONE, "failed:provider_overloaded"],
    ["a web page", "<html><body>502</body></html>", "failed:provider_malformed"],
    ["words in place of frames", "upstream connect error", "failed:provider_malformed"],
    ["frames that are no JSON", "data: hello\n\ndata: there\n\n", "failed:provider_malformed"],
    ["a JSON body that is cut", '{"choices":[{"message":{"content":"Qua', "failed:provider_malformed"],
    ["an error event", 'event: error\ndata: {"message":"too busy"}\n\n', "failed:provider_overloaded"],
    ["an error event in plain words", "event: error\ndata: too busy\n\n", "failed:provider_overloaded"],
    ["an error as a string", 'data: {"error":"too busy"}\n\n', "failed:provider_overloaded"],
    ["an error written bare into the stream", '{"x":1}\n'.repeat(0) + delta({ content: "a" }) + '{"error":{"message":"bad gateway"}}\n\n', "failed:provider_overloaded"],
    ["an error with a status", 'data: {"error":{"code":429,"message":"slow down"}}\n\n', "failed:provider_rate_limited"],
    ["an error with a kind", 'data: {"error":{"type":"insufficient_quota","message":"no credit"}}\n\n', "failed:provider_quota"],
    ["an overflow told in the stream", 'data: {"error":{"message":"This model\'s maximum context length is 8192 tokens"}}\n\n', "failed:context_overflow"],
    ["an error body with detail", '{"detail":"warming up"}', "failed:provider_overloaded"],
    ["a call without a name", delta({ tool_calls: [{ index: 0, function: { arguments: "{}" } }] }, "tool_calls") + DONE, "failed:provider_malformed"],
    ["a bad frame inside a call", delta(CALL) + "data: {bad\n\n" + delta({}, "tool_calls") + DONE, "failed:provider_malformed"],
  ])("%s", (_what, body, outcome) => {
    const seen = read(body);
    expect(seen.outcome).toBe(outcome);
    expect(seen.tools).toEqual([]);
  });

  it("B147: at the output limit with text only it is whole, and says so", () => {
    const seen = read(delta({ content: "Quartz" }) + delta({}, "length") + DONE);
    expect(seen.parts.at(-1)).toEqual({ type: "finish", reason: "length" });
  });

  it("with arguments that are no JSON hands the call on without them", () => {
    const seen = read(delta({ tool_calls: [{ index: 0, id: "a", function: { name: "read_file", arguments: "{path: x}" } }] }) + delta({}, "tool_calls") + DONE);
    expect(seen.parts.find((part) => part.type === "tool-call")).toEqual({ type: "tool-call", provider_call_id: "a", name: "read_file", arguments: null, raw: "{path: x}" });
  });

  it("by a reset after the provider said why it stopped is complete; before that it is cut", () => {
    const reset = new TransportError("cut", "read ECONNRESET");
    expect(read(delta({ content: "Quartz" }, "stop"), reset).outcome).toBe("completed");
    expect(read(delta({ content: "Quartz" }), reset)).toMatchObject({ outcome: "failed:provider_incomplete", text: "Quartz" });
    expect(read('{"choices":[{"message":{"content":"Qua', reset).outcome).toBe("failed:provider_incomplete");
  });
});

describe("shapes of an answer", () => {
  it.each<readonly [string, string, Partial<Outcome>]>([
    ["arguments as an object", delta({ tool_calls: [{ function: { name: "read_file", arguments: { path: "x" } } }] }, "stop"), { tools: [["read_file", '{"path":"x"}']] }],
    ["the old function_call", delta({ function_call: { name: "read_file", arguments: '{"path":"x"}' } }, "function_call"), { tools: [["read_file", '{"path":"x"}']] }],
    ["a null index", delta({ tool_calls: [{ index: null, id: "a", function: { name: "read_file", arguments: "{}" } }, { index: null, id: "b", function: { name: "read_file", arguments: "{}" } }] }, "stop"), { tools: [["read_file", "{}"], ["read_file", "{}"]] }],
    ["both names for one thought", delta({ reasoning: "a", reasoning_content: "a" }) + delta({ content: "b" }, "stop"), { reasoning: "a", text: "b" }],
    ["reasoning_details", delta({ reasoning_details: [{ type: "reasoning.text", text: "a" }] }) + delta({ content: "b" }, "stop"), { reasoning: "a", text: "b" }],
    ["thinking as a part of content", delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "a" }] }, { type: "text", text: "b" }] }, "stop"), { reasoning: "a", text: "b" }],
    ["a refusal", delta({ refusal: "I will not." }, "stop"), { text: "I will not." }],
    ["a whole message after its deltas", delta({ content: "Quartz" }) + `data: {"choices":[{"message":{"content":"Quartz"},"finish_reason":"stop"}]}\n\n`, { text: "Quartz" }],
    ["a second choice", delta({ content: "a" }, "stop") + `data: {"choices":[{"index":1,"delta":{"content":"z"}}]}\n\n`, { text: "a" }],
    ["frames without a blank line between", `data: {"choices":[{"delta":{"content":"a"}}]}\ndata: {"choices":[{"delta":{"content":"b"},"finish_reason":"stop"}]}\ndata: [DONE]\n\n`, { text: "ab" }],
    ["pings and unknown objects", `data: {"type":"ping"}\n\n` + delta({ content: "a" }, "stop"), { text: "a", warnings: 0 }],
    ["fields of the wrong type", `data: {"choices":[{"delta":{"content":7,"reasoning":{},"tool_calls":"x"},"finish_reason":0}],"usage":"many"}\n\n` + delta({ content: "a" }, "stop"), { text: "a" }],
    ["lone CR line ends and a byte order mark", "\ufeffdata: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\r\rdata: [DONE]\r\r", { text: "a" }],
    ["unusual finish words", delta({ content: "a" }, "end_turn"), { text: "a" }],
    ["a prototype's word as finish reason", delta({ content: "a" }, "constructor"), { text: "a" }],
    ["one whole answer with a call", JSON.stringify({ choices: [{ message: { content: null, ...CALL }, finish_reason: "tool_calls" }] }), { tools: [["read_file", '{"path":"x"}']] }],
    ["a whole answer sent under another type of stream", `\n ${JSON.stringify({ choices: [{ message: { content: "a" } }] })}\n`, { text: "a" }],
  ])("%s", (_what, body, expected) => {
    expect(read(body)).toMatchObject({ outcome: "completed", ...expected });
  });

  it("usage after the finish counts, with its details", () => {
    const usage = { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 3 }, completion_tokens_details: { reasoning_tokens: 2 } };
    const seen = read(delta({ content: "a" }, "stop") + `data: ${JSON.stringify({ choices: [], usage })}\n\n` + DONE);
    expect(seen.usage).toEqual({ input_tokens: 9, output_tokens: 4, reasoning_tokens: 2, cache_read_tokens: 3, cache_write_tokens: null });
  });

  it("B181: unreadable frames warn, a few times only", () => {
    expect(read("data: {bad\n\n".repeat(9) + delta({ content: "a" }, "stop")).warnings).toBe(3);
  });

  it("B244: an error in the stream is told in the provider's words, without the key", () => {
    const seen = read(`data: {"error":{"message":"key ${SECRET} is over its limit, see https://u:p@host/x?api_key=${SECRET}"}}\n\n`);
    const failure = seen.parts.at(-1);
    expect(failure).toMatchObject({ type: "failure", message: expect.stringContaining("is over its limit") });
    expect(JSON.stringify(failure)).not.toMatch(/canary|u:p@/);
  });
});
