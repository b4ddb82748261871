import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deltaChunk, errorReply, frame, rawReply, textReply, type Reply } from "#testing/model-replies";
import { startModelServer, type ModelServer } from "#testing/model-server";
import { createChatPort } from "./chat-port";
import type { ModelPort } from "./model-port";
import { DEFAULT_TRANSPORT_LIMITS } from "./provider-fetch";
import { askFor, collectOutcome } from "./read-outcome.fixture";
import { withRetry, type RetryClock } from "./with-retry";

let server: ModelServer;
let waits: number[];
const clock: RetryClock = {
  sleep: async (ms) => {
    waits.push(ms);
  },
};

beforeEach(async () => {
  server = await startModelServer();
  waits = [];
});
afterEach(() => server.close());

function open(): ModelPort {
  return createChatPort({ provider: "p", base_url: server.url, api_key: null, reasoning_style: "effort", load_image: async () => null, limits: DEFAULT_TRANSPORT_LIMITS });
}

const doneOnly: Reply = rawReply([{ kind: "bytes", bytes: "data: [DONE]\n\n" }]);

describe("a request that fails before anything was shown", () => {
  it("is sent again, and the wait is told before it", async () => {
    server.script([errorReply(503, { message: "busy" }), textReply("Quartz lamp")]);
    const seen = await collectOutcome(withRetry(open(), clock), askFor("hi"));
    expect(seen).toMatchObject({ outcome: "completed", text: "Quartz lamp" });
    expect(seen.parts[0]).toEqual({ type: "retry", attempt: 2, wait_ms: 500, code: "provider_overloaded" });
    expect(waits).toEqual([500]);
  });

  it.each<readonly [string, Reply, string]>([
    ["overload", errorReply(503, ""), "provider_overloaded"],
    ["B154: an empty answer", doneOnly, "provider_empty"],
    ["a rate limit", errorReply(429, ""), "provider_rate_limited"],
    ["a timeout by status", errorReply(408, ""), "provider_timeout"],
    ["a connection that breaks before a byte", { status: null, headers: {}, steps: [{ kind: "reset" }] }, "provider_unreachable"],
  ])("%s: three requests in all, with growing waits, then the failure", async (_what, reply, code) => {
    server.script(() => reply);
    const seen = await collectOutcome(withRetry(open(), clock), askFor("hi"));
    expect(server.chats).toHaveLength(3);
    expect(waits).toEqual([500, 1_500]);
    expect(seen.outcome).toBe(`failed:${code}`);
    expect(seen.parts.map((part) => part.type)).toEqual(["retry", "retry", "failure"]);
  });

  it.each<readonly [string, Reply]>([
    ["401", errorReply(401, "")],
    ["402", errorReply(402, "")],
    ["404", errorReply(404, "")],
    ["413", errorReply(413, "")],
    ["400", errorReply(400, "")],
    ["429 that asks for a minute", errorReply(429, "", { "retry-after": "60" })],
    ["503 that asks for a minute", errorReply(503, "", { "retry-after": "60" })],
    ["frames that make no sense", rawReply([{ kind: "bytes", bytes: "data: x\n\n" }])],
  ])("B184: %s is exactly one request", async (_what, reply) => {
    server.script(() => reply);
    await collectOutcome(withRetry(open(), clock), askFor("hi"));
    expect(server.chats).toHaveLength(1);
  });

  it("B184: waits as long as Retry-After asks", async () => {
    server.script([errorReply(429, "", { "retry-after": "3" }), textReply("ok")]);
    expect((await collectOutcome(withRetry(open(), clock), askFor("hi"))).text).toBe("ok");
    expect(waits).toEqual([3_000]);
  });

  it("B184: a wait ends at once when the run is stopped", async () => {
    server.script(() => errorReply(429, "", { "retry-after": "9" }));
    const stop = new AbortController();
    const started = performance.now();
    const types: string[] = [];
    for await (const part of withRetry(open()).stream(askFor("hi"), stop.signal)) {
      types.push(part.type === "failure" ? `failure aborted ${part.aborted}` : part.type);
      if (part.type === "retry") setTimeout(() => stop.abort(), 5);
    }
    expect(types).toEqual(["retry", "failure aborted true"]);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(server.chats).toHaveLength(1);
  });
});

describe("a request that had shown something", () => {
  it.each([
    ["text", { content: "Quartz la" }],
    ["reasoning", { reasoning_content: "hm" }],
  ])("B182: is not sent again after %s", async (_what, delta) => {
    server.script([rawReply([frame(deltaChunk(delta)), { kind: "pause", ms: 10 }, { kind: "reset" }]), textReply("Quartz lamp")]);
    const seen = await collectOutcome(withRetry(open(), clock), askFor("hi"));
    expect(server.chats).toHaveLength(1);
    expect(seen.outcome).toBe("failed:provider_incomplete");
    expect(seen.text + seen.reasoning).not.toContain("lamp");
  });

  it("is not sent again after an overload told in the stream", async () => {
    server.script(() => rawReply([frame(deltaChunk({ content: "a" })), frame({ error: { code: 503, message: "busy" } })]));
    expect(await collectOutcome(withRetry(open(), clock), askFor("hi"))).toMatchObject({ outcome: "failed:provider_overloaded", text: "a" });
    expect(server.chats).toHaveLength(1);
  });
});
