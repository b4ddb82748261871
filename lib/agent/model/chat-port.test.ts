/** The port over real sockets: what goes out, what becomes of failures, and how it stops. */
import { once } from "node:events";
import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callReply, deltaChunk, DONE_FRAME, errorReply, frame, rawReply, silentReply, textReply, type Reply } from "#testing/model-replies";
import { startModelServer, type ModelServer } from "#testing/model-server";
import { createChatPort } from "./chat-port";
import type { ModelPart, ModelPort } from "./model-port";
import { DEFAULT_TRANSPORT_LIMITS, type TransportLimits } from "./provider-fetch";
import { askFor, collectOutcome } from "./read-outcome.fixture";

const KEY = "sk-canary-abcdef123456";
let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

function open(limits: Partial<TransportLimits> = {}, base_url = server.url): ModelPort {
  return createChatPort({
    provider: "p1",
    base_url,
    api_key: KEY,
    reasoning_style: "effort",
    load_image: async (id) => (id === "att_1" ? new Uint8Array([1, 2, 3]) : null),
    limits: { ...DEFAULT_TRANSPORT_LIMITS, ...limits },
  });
}

describe("the request", () => {
  it.each(["fam:27b-q8_0", "a/b/c:free", "gpt_proxy/x", "@x:y"])("B284: names the model %s exactly", async (model) => {
    await collectOutcome(open(), askFor("hi", { model }));
    expect(server.chats[0]?.body).toMatchObject({ model, stream: true, stream_options: { include_usage: true } });
    expect(server.chats[0]?.headers["authorization"]).toBe(`Bearer ${KEY}`);
  });

  it("is one that a strict server takes, with our call ids, results and images", async () => {
    const seen = await collectOutcome(
      open(),
      askFor("", {
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "look", images: [{ attachment_id: "att_1", name: "a.png", mime: "image/png" }, { attachment_id: "att_2", name: "b.png", mime: "image/png" }] },
          { role: "assistant", content: "", tool_calls: [{ id: "call_1", name: "read_file", arguments: { path: "a" } }, { id: "call_2", name: "list_workspace", arguments: {} }] },
          { role: "tool", tool_call_id: "call_1", name: "read_file", content: "text" },
          { role: "tool", tool_call_id: "call_2", name: "list_workspace", content: "" },
        ],
        reasoning: "low",
        max_output_tokens: 100,
      }),
    );
    expect(seen.outcome).toBe("completed");
    expect(server.chats[0]?.body).toMatchObject({
      max_tokens: 100,
      reasoning_effort: "low",
      tools: [{ type: "function", function: { name: "read_file" } }, {}, {}],
      messages: [
        { role: "system" },
        { role: "user", content: [{ type: "text", text: "look" }, { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } }, { type: "text", text: "[The image b.png is no longer available.]" }] },
        { role: "assistant", content: null, tool_calls: [{ id: "call_1", function: { arguments: '{"path":"a"}' } }, { id: "call_2" }] },
        { role: "tool", tool_call_id: "call_1", content: "text" },
        { role: "tool", tool_call_id: "call_2", content: "(no output)" },
      ],
    });
  });

  it("names no tools, bound or level that was not asked for", async () => {
    await collectOutcome(open(), askFor("hi", { tools: [] }));
    expect(server.chats[0]?.body).toEqual({ model: "test-model", messages: [{ role: "user", content: "hi" }], stream: true, stream_options: { include_usage: true } });
  });

  it("B243: never follows a redirect, so the key reaches no other host", async () => {
    const other = await startModelServer();
    server.script([errorReply(302, "", { location: `${other.url}/chat/completions` })]);
    const seen = await collectOutcome(open(), askFor("hi"));
    await other.close();
    expect(other.requests).toEqual([]);
    expect(seen.outcome).toBe("failed:provider_bad_request");
  });

  it("B243: uses no proxy of the environment", async () => {
    const proxied: string[] = [];
    const proxy = createServer((socket) => socket.on("data", (bytes) => proxied.push(bytes.toString())).on("error", () => proxied.push("error")));
    const address = await new Promise<string>((resolve) => proxy.listen(0, "127.0.0.1", () => resolve(JSON.stringify(proxy.address()))));
    const variables = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"];
    for (const name of variables) vi.stubEnv(name, `http://127.0.0.1:${/"port":(\d+)/.exec(address)?.[1]}`);
    const seen = await collectOutcome(open(), askFor("hi"));
    vi.unstubAllEnvs();
    proxy.close();
    expect(seen.outcome).toBe("completed");
    expect(proxied).toEqual([]);
  });
});

describe("failures by HTTP status and body (contract 6)", () => {
  it.each<readonly [string, Reply, string, boolean]>([
    ["401", errorReply(401, { message: "bad key" }), "provider_auth", false],
    ["403", errorReply(403, { message: "no" }), "provider_auth", false],
    ["402", errorReply(402, { message: "pay" }), "provider_quota", false],
    ["404", errorReply(404, { message: "no such model" }), "model_not_found", false],
    ["408", errorReply(408, { message: "slow" }), "provider_timeout", true],
    ["413", errorReply(413, { message: "big" }), "context_overflow", false],
    ["429", errorReply(429, { message: "slow down" }), "provider_rate_limited", true],
    ["429 with a short wait", errorReply(429, { message: "slow down" }, { "retry-after": "3" }), "provider_rate_limited", true],
    ["429 with a long wait", errorReply(429, { message: "slow down" }, { "retry-after": "60" }), "provider_rate_limited", false],
    ["429 by quota", errorReply(429, { code: "insufficient_quota", message: "You exceeded your current quota" }), "provider_quota", false],
    ["500", errorReply(500, "oops"), "provider_overloaded", true],
    ["502 with a page", errorReply(502, "<html>bad gateway</html>"), "provider_overloaded", true],
    ["503", errorReply(503, { message: "loading" }), "provider_overloaded", true],
    ["504", errorReply(504, ""), "provider_overloaded", true],
    ["529", errorReply(529, { type: "overloaded_error" }), "provider_overloaded", true],
    ["400", errorReply(400, { message: "temperature is wrong" }), "provider_bad_request", false],
    ["400 overflow", errorReply(400, { code: "context_length_exceeded", message: "too long" }), "context_overflow", false],
    ["400 overflow in words", errorReply(400, "This model's maximum context length is 8192 tokens."), "context_overflow", false],
    ["500 overflow in words", errorReply(500, { message: "the request exceeds the available context size" }), "context_overflow", false],
    ["400 unknown model", errorReply(400, { message: "x/y is not a valid model ID" }), "model_not_found", false],
    ["400 credit", errorReply(400, { message: "Your credit balance is too low" }), "provider_quota", false],
  ])("%s", async (_what, reply, code, retryable) => {
    server.script(() => reply);
    const seen = await collectOutcome(open(), askFor("hi"));
    expect(seen.parts).toHaveLength(1);
    expect(seen.parts[0]).toMatchObject({ type: "failure", code, retryable, aborted: false });
  });

  it("reads the wait that is asked for", async () => {
    server.script(() => errorReply(429, { message: "slow" }, { "retry-after": "2.5" }));
    expect((await collectOutcome(open(), askFor("hi"))).parts[0]).toMatchObject({ retry_after_s: 2.5 });
  });

  it("B244: shows no key that the provider echoes in body, URL or header", async () => {
    const echo = `Incorrect API key ${KEY} (${Buffer.from(KEY).toString("base64")}), see https://host/v1?key=${encodeURIComponent(KEY)}, Authorization: Bearer ${KEY}`;
    server.script(() => errorReply(401, { message: echo }, { "x-request-id": KEY }));
    const shown = JSON.stringify(await collectOutcome(open(), askFor("hi")));
    expect(shown).toContain("Incorrect API key");
    expect(shown).not.toContain("canary");
    expect(shown).not.toContain(Buffer.from(KEY).toString("base64"));
  });
});

describe("connections", () => {
  it("a refused one is unreachable", async () => {
    const url = server.url;
    await server.close();
    expect((await collectOutcome(open({}, url), askFor("hi"))).parts).toMatchObject([{ code: "provider_unreachable", retryable: true }]);
    server = await startModelServer();
  });

  it("one reset before any byte is unreachable", async () => {
    server.script(() => ({ ...silentReply(), steps: [{ kind: "reset" }] }));
    expect((await collectOutcome(open(), askFor("hi"))).parts).toMatchObject([{ code: "provider_unreachable", retryable: true }]);
  });

  it("silence before the first byte is a timeout that may be tried again", async () => {
    server.script(() => silentReply());
    expect((await collectOutcome(open({ first_byte_timeout_ms: 50 }), askFor("hi"))).parts).toMatchObject([{ code: "provider_timeout", retryable: true }]);
    server.script(() => rawReply([{ kind: "hold" }]));
    expect((await collectOutcome(open({ first_byte_timeout_ms: 50 }), askFor("hi"))).parts).toMatchObject([{ code: "provider_timeout", retryable: true }]);
  });

  it("silence in mid-answer keeps what came and is not tried again", async () => {
    server.script(() => rawReply([frame(deltaChunk({ content: "Quartz" })), { kind: "hold" }]));
    const seen = await collectOutcome(open({ idle_timeout_ms: 50 }), askFor("hi"));
    expect(seen).toMatchObject({ text: "Quartz", outcome: "failed:provider_timeout" });
    expect(seen.parts.at(-1)).toMatchObject({ retryable: false });
  });

  it("B144: a cut without the end of the body keeps what came", async () => {
    server.script(() => rawReply([frame(deltaChunk({ content: "Quartz" })), { kind: "cut" }]));
    expect(await collectOutcome(open(), askFor("hi"))).toMatchObject({ text: "Quartz", outcome: "failed:provider_incomplete" });
  });

  it("B146: a held socket after the finish, even without [DONE], ends soon", async () => {
    server.script(() => rawReply([frame(deltaChunk({ content: "Quartz" }, "stop")), { kind: "hold" }]));
    const started = performance.now();
    expect(await collectOutcome(open(), askFor("hi"))).toMatchObject({ text: "Quartz", outcome: "completed" });
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe("text as it comes, and stopping", () => {
  it("B176: each token is there before the next one is sent", async () => {
    const gates = [new AbortController(), new AbortController()] as const;
    server.script(() =>
      rawReply([
        frame(deltaChunk({ reasoning_content: "weigh" })),
        { kind: "until", promise: once(gates[0].signal, "abort") },
        frame(deltaChunk({ content: "Quartz " })),
        { kind: "until", promise: once(gates[1].signal, "abort") },
        frame(deltaChunk({ content: "lamp" }, "stop")),
        { kind: "bytes", bytes: DONE_FRAME },
      ]),
    );
    const parts = open().stream(askFor("hi"), new AbortController().signal)[Symbol.asyncIterator]();
    expect((await parts.next()).value).toEqual({ type: "reasoning", text: "weigh" });
    gates[0].abort();
    expect((await parts.next()).value).toEqual({ type: "text", text: "Quartz " });
    gates[1].abort();
    expect((await parts.next()).value).toEqual({ type: "text", text: "lamp" });
    expect((await parts.next()).value).toEqual({ type: "finish", reason: "stop" });
    expect((await parts.next()).done).toBe(true);
  });

  it("an abort ends the stream as aborted and closes the connection within a second", async () => {
    server.script(() => rawReply([frame(deltaChunk({ content: "Quartz" })), { kind: "hold" }]));
    const stop = new AbortController();
    const parts: ModelPart[] = [];
    for await (const part of open().stream(askFor("hi"), stop.signal)) {
      parts.push(part);
      stop.abort();
    }
    expect(parts).toMatchObject([{ type: "text", text: "Quartz" }, { type: "failure", code: "provider_incomplete", aborted: true }]);
    const started = performance.now();
    expect(await server.chats[0]?.closed).toBe("client");
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it("an abort while nothing has come ends it too", async () => {
    server.script(() => silentReply());
    const stop = new AbortController();
    const seen = collectOutcome(open(), askFor("hi"), stop.signal);
    await expect.poll(() => server.chats.length).toBe(1);
    stop.abort();
    expect((await seen).parts).toMatchObject([{ type: "failure", aborted: true }]);
    expect(await server.chats[0]?.closed).toBe("client");
  });

  it("leaving the loop closes the connection", async () => {
    server.script(() => rawReply([frame(deltaChunk({ content: "Quartz" })), { kind: "hold" }]));
    for await (const part of open().stream(askFor("hi"), new AbortController().signal)) if (part.type === "text") break;
    expect(await server.chats[0]?.closed).toBe("client");
  });

  it("an aborted signal sends nothing", async () => {
    expect((await collectOutcome(open(), askFor("hi"), AbortSignal.abort())).parts).toMatchObject([{ type: "failure", aborted: true }]);
    expect(server.chats).toEqual([]);
  });

  it("a long answer comes whole and in order", async () => {
    const words = Array.from({ length: 5_000 }, (_, at) => `w${at}`).join(" ");
    server.script(() => textReply(words));
    expect((await collectOutcome(open(), askFor("hi"))).text).toBe(words);
  });

  it("calls come with the finish", async () => {
    server.script([callReply([{ name: "read_file", arguments: { path: "a" } }], "Looking.")]);
    const seen = await collectOutcome(open(), askFor("hi"));
    expect(seen).toMatchObject({ text: "Looking.", tools: [["read_file", '{"path":"a"}']] });
    expect(seen.parts.at(-1)).toEqual({ type: "finish", reason: "tool_calls" });
  });
});
