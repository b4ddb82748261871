import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "#testing/until";
import { openEventServer, openRedirectingServer, openStreamableServer } from "#testing/mcp-http-server";
import { sweepMarked } from "../process-tree";
import { openMcpStory, type McpStory } from "./mcp-story.fixture";

const never = new AbortController().signal;
let story: McpStory;

beforeEach(async () => {
  story = await openMcpStory();
});
afterEach(() => story.close());

describe("P3 programs end with their owner", () => {
  it("at a close with all that came of them, also what left the group", async () => {
    const servers = story.serversOf();
    const offer = await servers.offer(story.profile(story.program("kite", "brooding")), "run_1", never);
    expect(await story.call(offer, "mcp_kite_echo", { text: "x" })).toMatchObject({ status: "ok" });
    const pids = [...(await story.written()).matchAll(/(?:started|child) (\d+)/g)].map((found) => Number(found[1]));
    expect(pids).toHaveLength(2);
    await servers.close();
    expect(await story.running(pids)).toEqual([]);
    expect(await story.call(offer, "mcp_kite_echo", { text: "x" })).toMatchObject({ status: "error", result: expect.stringContaining("is not there") });
    expect(await servers.offer(story.profile(story.program("kite")), "run_2", never)).toEqual({ tools: [], missing: [] });
  });

  it("when the owner was killed: whoever takes over its runs finds them by their mark", async () => {
    const run = `run_${randomUUID()}`;
    const servers = story.serversOf({ wait_ms: 1 });
    await servers.offer(story.profile(story.program("kite", "hanging")), run, never);
    await until(async () => (await story.written()).includes("started"));
    const pid = Number(/started (\d+)\n/.exec(await story.written())?.[1]);
    expect((await sweepMarked((mark) => mark.run_id === run)).processes).toBe(1);
    expect(await story.running([pid])).toEqual([]);
  });

  it("when nobody used it for a while; the next call starts it anew", async () => {
    const servers = story.serversOf({ idle_ms: 150 });
    const offer = await servers.offer(story.profile(story.program("kite")), "run_1", never);
    await until(async () => (await story.written()).includes("ended"));
    expect(servers.status(story.profile(story.program("kite")))[0]?.status).toBe("idle");
    expect(await story.call(offer, "mcp_kite_echo", { text: "again" })).toMatchObject({ status: "ok" });
  });

  it("when its settings are gone or changed", async () => {
    const servers = story.serversOf();
    const before = await servers.offer(story.profile(story.program("kite")), "run_1", never);
    const after = await servers.offer(story.profile(story.program("kite", "honest", { env: { COLOUR: "blue" } })), "run_2", never);
    expect((await story.call(after, "mcp_kite_environment", {})).result).toContain('"COLOUR":"blue"');
    await until(async () => (await story.written()).includes("ended"));
    expect(await story.call(before, "mcp_kite_echo", { text: "x" })).toMatchObject({ status: "error", result: expect.stringContaining("settings changed") });
    expect(await servers.offer(story.profile(), "run_3", never)).toEqual({ tools: [], missing: [] });
  });
});

describe("a server at an address", () => {
  it("answers with its headers, by the streamable transport", async () => {
    const server = await openStreamableServer();
    story.atEnd(server.close);
    const servers = story.serversOf();
    const offer = await servers.offer(story.profile(story.address("web", server.url, { Authorization: "Bearer kite-key" })), "run_1", never);
    expect(offer.missing).toEqual([]);
    expect(await story.call(offer, "mcp_web_echo", { text: "hi" })).toEqual({ status: "ok", result: "over http: hi" });
    expect(server.seen.every(({ headers }) => headers.authorization === "Bearer kite-key")).toBe(true);
    await servers.close();
    expect(server.seen.at(-1)?.method).toBe("DELETE");
  });

  it("answers by the older event stream where it knows no other", async () => {
    const server = await openEventServer();
    story.atEnd(server.close);
    const offer = await story.serversOf().offer(story.profile(story.address("old", server.url, { "X-Key": "kite-key" })), "run_1", never);
    expect(offer.missing).toEqual([]);
    expect(await story.call(offer, "mcp_old_echo", { text: "hi" })).toEqual({ status: "ok", result: "over http: hi" });
    expect(server.seen.every(({ headers }) => headers["x-key"] === "kite-key")).toBe(true);
  });

  it("that sends visitors elsewhere is not followed there with the headers", async () => {
    const elsewhere = await openStreamableServer();
    const server = await openRedirectingServer(elsewhere.url);
    for (const close of [elsewhere.close, server.close]) story.atEnd(close);
    const offer = await story.serversOf().offer(story.profile(story.address("web", server.url, { Authorization: "Bearer kite-key" })), "run_1", never);
    expect(offer.tools).toEqual([]);
    expect(offer.missing[0]).toContain("not followed");
    expect(elsewhere.seen).toEqual([]);
  });

  it("that is gone is a tool error for those who call it, and missing in the next turn", async () => {
    const server = await openStreamableServer();
    const servers = story.serversOf();
    const web = story.profile(story.address("web", server.url));
    const offer = await servers.offer(web, "run_1", never);
    await server.close();
    expect(await story.call(offer, "mcp_web_echo", { text: "hi" })).toMatchObject({ status: "error", result: expect.stringContaining("was lost in the middle of the call") });
    expect((await servers.offer(web, "run_2", never)).missing[0]).toContain("ECONNREFUSED");
    expect(await story.call(offer, "mcp_web_echo", { text: "hi" })).toMatchObject({ status: "error", result: expect.stringContaining("is not there") });
  });
});
