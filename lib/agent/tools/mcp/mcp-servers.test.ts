import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { McpServer } from "#profiles/mcp-servers";
import { until } from "#testing/until";
import { openEventServer, openRedirectingServer, openStreamableServer } from "#testing/mcp-http-server";
import { createProcessTable } from "../process-table";
import { sweepMarked } from "../process-tree";
import { toolSchemas } from "../registry";
import { runTool } from "../run-tool";
import { makeToolFixture, type ToolFixture } from "../tool-fixture";
import type { ToolOutcome } from "../tool-port";
import { createMcpServers, type McpOffer, type McpServers } from "./mcp-servers";
import { CONNECTION_TIMING, type ConnectionTiming } from "./server-connection";

const PROGRAM = fileURLToPath(new URL("../../../testing/mcp-stdio-server.mjs", import.meta.url));
const never = new AbortController().signal;

let fixture: ToolFixture;
let notes: string;
let open: McpServers[];
const closers: (() => Promise<void>)[] = [];

beforeEach(async () => {
  fixture = await makeToolFixture();
  notes = path.join(fixture.base, "notes");
  await writeFile(notes, "");
  open = [];
});
afterEach(async () => {
  await Promise.all(open.map((servers) => servers.close()));
  await Promise.all(closers.splice(0).map((close) => close()));
  await fixture.remove();
});

function program(name: string, manner = "honest", more: Partial<Extract<McpServer, { transport: "stdio" }>> = {}): McpServer {
  const { env, ...rest } = more;
  return {
    ...{ name, timeout_s: null, include: null, exclude: [], asks: [], transport: "stdio", command: process.execPath, args: [PROGRAM], cwd: null },
    env: { MANNER: manner, NOTES: notes, ...env },
    ...rest,
  };
}

function address(name: string, url: string, headers: Readonly<Record<string, string>> = {}): McpServer {
  return { name, timeout_s: null, include: null, exclude: [], asks: [], transport: "http", url, headers };
}

function serversOf(timing: Partial<ConnectionTiming> = {}): McpServers {
  const servers = createMcpServers({ ambient: { PATH: process.env["PATH"], OPENAI_API_KEY: "sk-owner-secret", HERMES_WEBUI_PASSWORD: "p" }, timing: { ...CONNECTION_TIMING, ...timing } });
  open.push(servers);
  return servers;
}

const profile = (...servers: readonly McpServer[]) => ({ name: "default", home: fixture.base, servers });

function call(offer: McpOffer, name: string, given: unknown): Promise<ToolOutcome> {
  return runTool(offer.tools.find((tool) => tool.name === name), name, given, fixture.context);
}

const written = async (): Promise<string> => readFile(notes, "utf8");

/** Those that still run; a zombie does not. */
async function running(pids: readonly number[]): Promise<readonly number[]> {
  const rows = await createProcessTable(process.platform).rows();
  return pids.filter((pid) => rows.some((row) => row.pid === pid));
}

describe("a server that is a program", () => {
  it("offers its tools by its own schema and answers calls, one process for all runs", async () => {
    const servers = serversOf();
    const offer = await servers.offer(profile(program("kite shop")), "run_1", never);
    expect(offer.missing).toEqual([]);
    const echo = offer.tools.find((tool) => tool.name === "mcp_kite_shop_echo");
    expect(echo).toMatchObject({ description: "Does echo.", kind: "other", asks: false });
    expect(toolSchemas(offer.tools)[0]).toEqual({
      name: "mcp_kite_shop_echo",
      description: "Does echo.",
      parameters: {
        type: "object",
        properties: { text: { type: "string", description: "What to say." }, tone: { $ref: "#/definitions/tone" } },
        required: ["text"],
        definitions: { tone: { enum: ["loud", "soft"] } },
      },
    });
    expect(toolSchemas(offer.tools)[1]?.parameters).toEqual({ type: "object", properties: {} });
    expect(await call(offer, "mcp_kite_shop_echo", { text: "hi" })).toEqual({ status: "ok", result: "you said hi" });
    expect(await call(offer, "mcp_kite_shop_fail", {})).toEqual({ status: "error", result: "no such kite" });
    expect(await call(offer, "mcp_kite_shop_refuse", {})).toMatchObject({ status: "error", result: expect.stringContaining("not today") });
    expect((await call(offer, "mcp_kite_shop_picture", {})).result).toBe("look:\n[image image/png, 3 bytes, not shown]");
    expect((await call(offer, "mcp_kite_shop_structured", {})).result).toBe('{"kites":2}');
    const again = await servers.offer(profile(program("kite shop")), "run_2", never);
    expect(await call(again, "mcp_kite_shop_echo", { text: "you" })).toMatchObject({ status: "ok" });
    expect((await written()).match(/started/g)).toHaveLength(1);
    expect(servers.status(profile(program("kite shop")))).toMatchObject([{ server: "kite shop", transport: "stdio", status: "ready", reason: null, tools: expect.arrayContaining(["echo"]) }]);
  });

  it("sees the clean environment, what its settings give it, and its profile's home", async () => {
    const offer = await serversOf().offer(profile(program("kite", "honest", { env: { KITE_TOKEN: "t0ken-of-kites" } })), "run_1", never);
    const { result } = await call(offer, "mcp_kite_environment", {});
    const seen: unknown = JSON.parse(result);
    expect(seen).toMatchObject({ KITE_TOKEN: "t0ken-of-kites", cwd: fixture.base, HERMES_CHILD_MARK: expect.stringContaining("run_1") });
    expect(result).not.toContain("owner-secret");
    expect(result).not.toContain("HERMES_WEBUI_PASSWORD");
  });

  it("offers what is included and not excluded, and asks where the settings say so", async () => {
    const server = program("kite", "honest", { include: ["echo", "fail", "die"], exclude: ["die"], asks: ["fail"] });
    const offer = await serversOf().offer(profile(server, program("all", "honest", { include: ["echo"], asks: "all" })), "run_1", never);
    expect(offer.tools.map(({ name, asks }) => [name, asks])).toEqual([["mcp_kite_echo", false], ["mcp_kite_fail", true], ["mcp_all_echo", true]]);
  });

  it("hears of tools that came later with the next turn", async () => {
    const servers = serversOf();
    const offer = await servers.offer(profile(program("kite")), "run_1", never);
    await call(offer, "mcp_kite_grow", {});
    await until(async () => (await servers.offer(profile(program("kite")), "run_2", never)).tools.some(({ name }) => name === "mcp_kite_later"));
  });

  it("is told of a stop, and lives on", async () => {
    const offer = await serversOf().offer(profile(program("kite")), "run_1", never);
    const running = call(offer, "mcp_kite_slow", { steps: 1000, step_ms: 10 });
    await until(() => fixture.updates.length > 1);
    expect(fixture.updates[0]).toEqual({ progress: "1 of 1000\n" });
    fixture.abort();
    expect(await running).toMatchObject({ status: "cancelled" });
    await until(async () => (await written()).includes("slow was cancelled"));
  });

  it("may take longer than its limit as long as it reports progress, and no longer without", async () => {
    const offer = await serversOf().offer(profile(program("kite", "honest", { timeout_s: 0.4 })), "run_1", never);
    expect(await call(offer, "mcp_kite_slow", { steps: 8, step_ms: 100 })).toMatchObject({ status: "ok", result: "slow but done" });
    expect(await call(offer, "mcp_kite_slow", { steps: 1, step_ms: 5000 })).toMatchObject({ status: "error", result: expect.stringContaining("did not answer within") });
    expect(await call(offer, "mcp_kite_echo", { text: "still" })).toMatchObject({ status: "ok" });
  });

  it("that dies in the middle of a call costs that call only", async () => {
    const servers = serversOf();
    const offer = await servers.offer(profile(program("kite")), "run_1", never);
    expect(await call(offer, "mcp_kite_die", {})).toEqual({
      status: "error",
      result: "The MCP server kite was lost in the middle of the call, which may have had an effect. It ended with exit code 3",
    });
    expect(servers.status(profile(program("kite")))).toMatchObject([{ status: "failed", reason: "It ended with exit code 3" }]);
    expect(await call(offer, "mcp_kite_echo", { text: "back" })).toMatchObject({ status: "ok", result: "you said back" });
  });
});

describe("M1 a server never fails a run", () => {
  it("one that hangs is waited for only so long, and is ended with its tree although it ignores TERM", async () => {
    const servers = serversOf({ wait_ms: 300, start_ms: 900 });
    const offer = await servers.offer(profile(program("stuck", "hanging"), program("kite")), "run_1", never);
    expect(offer.missing.filter((text) => text.includes("stuck"))).toEqual(["The tools of the MCP server stuck are missing in this turn. It is still starting."]);
    await until(() => servers.status(profile(program("stuck", "hanging")))[0]?.status === "failed");
    expect(servers.status(profile(program("stuck", "hanging")))[0]?.reason).toBe("It did not start within 1 s.");
    const pid = Number(/started (\d+)\n/.exec(await written())?.[1]);
    await servers.close();
    expect(await running([pid])).toEqual([]);
  }, 30_000);

  it("one that is slow to start is there for the next turn", async () => {
    const servers = serversOf({ wait_ms: 50 });
    const slow = profile(program("kite", "slow to start", { env: { START_MS: "500" } }));
    expect((await servers.offer(slow, "run_1", never)).tools).toEqual([]);
    await until(() => servers.status(slow)[0]?.status === "ready");
    expect((await servers.offer(slow, "run_2", never)).missing).toEqual([]);
    expect((await written()).match(/started/g)).toHaveLength(1);
  });

  it("one that fails says why, without its secrets, and is left in peace for a while", async () => {
    const servers = serversOf();
    const failing = profile(program("kite", "failing", { env: { KITE_TOKEN: "t0ken-of-kites" } }), program("gone", "honest", { command: "/no/such/program" }));
    const offer = await servers.offer(failing, "run_1", never);
    expect(offer.tools).toEqual([]);
    expect(offer.missing).toEqual([
      "The tools of the MCP server kite are missing in this turn. It ended with exit code 7: Cannot log in with [redacted]",
      "The tools of the MCP server gone are missing in this turn. It could not be started: spawn /no/such/program ENOENT",
    ]);
    await servers.offer(failing, "run_2", never);
    expect((await written()).match(/started/g)).toHaveLength(1);
  });

  it("one that prints something else all the time is given up", async () => {
    const servers = serversOf();
    const offer = await servers.offer(profile(program("kite", "chatting")), "run_1", never);
    expect(offer.missing).toEqual(["The tools of the MCP server kite are missing in this turn. What it prints is not of this protocol"]);
  });

  it("one that lies about its tools is taken at what makes sense", async () => {
    const servers = serversOf();
    const lying = profile(program("kite", "lying"));
    const { tools } = await servers.offer(lying, "run_1", never);
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(["mcp_kite_echo", "mcp_kite_no_schema"]));
    expect(names).not.toContain("mcp_kite_list");
    expect(servers.status(lying)[0]).toMatchObject({ status: "ready", reason: expect.stringContaining("of its tools cannot be used") });
  });

  it("a run that is stopped does not wait for it", async () => {
    const stop = new AbortController();
    const offered = serversOf().offer(profile(program("kite", "hanging")), "run_1", stop.signal);
    stop.abort();
    expect((await offered).tools).toEqual([]);
  });
});

describe("P3 programs end with their owner", () => {
  it("at a close with all that came of them, also what left the group", async () => {
    const servers = serversOf();
    const offer = await servers.offer(profile(program("kite", "brooding")), "run_1", never);
    expect(await call(offer, "mcp_kite_echo", { text: "x" })).toMatchObject({ status: "ok" });
    const pids = [...(await written()).matchAll(/(?:started|child) (\d+)/g)].map((found) => Number(found[1]));
    expect(pids).toHaveLength(2);
    await servers.close();
    expect(await running(pids)).toEqual([]);
    expect(await call(offer, "mcp_kite_echo", { text: "x" })).toMatchObject({ status: "error", result: expect.stringContaining("is not there") });
    expect(await servers.offer(profile(program("kite")), "run_2", never)).toEqual({ tools: [], missing: [] });
  });

  it("when the owner was killed: whoever takes over its runs finds them by their mark", async () => {
    const run = `run_${randomUUID()}`;
    const servers = serversOf({ wait_ms: 1 });
    await servers.offer(profile(program("kite", "hanging")), run, never);
    await until(async () => (await written()).includes("started"));
    const pid = Number(/started (\d+)\n/.exec(await written())?.[1]);
    expect((await sweepMarked((mark) => mark.run_id === run)).processes).toBe(1);
    expect(await running([pid])).toEqual([]);
  });

  it("when nobody used it for a while; the next call starts it anew", async () => {
    const servers = serversOf({ idle_ms: 150 });
    const offer = await servers.offer(profile(program("kite")), "run_1", never);
    await until(async () => (await written()).includes("ended"));
    expect(servers.status(profile(program("kite")))[0]?.status).toBe("idle");
    expect(await call(offer, "mcp_kite_echo", { text: "again" })).toMatchObject({ status: "ok" });
  });

  it("when its settings are gone or changed", async () => {
    const servers = serversOf();
    const before = await servers.offer(profile(program("kite")), "run_1", never);
    const after = await servers.offer(profile(program("kite", "honest", { env: { COLOUR: "blue" } })), "run_2", never);
    expect((await call(after, "mcp_kite_environment", {})).result).toContain('"COLOUR":"blue"');
    await until(async () => (await written()).includes("ended"));
    expect(await call(before, "mcp_kite_echo", { text: "x" })).toMatchObject({ status: "error", result: expect.stringContaining("settings changed") });
    expect(await servers.offer(profile(), "run_3", never)).toEqual({ tools: [], missing: [] });
  });
});

describe("a server at an address", () => {
  it("answers with its headers, by the streamable transport", async () => {
    const server = await openStreamableServer();
    closers.push(server.close);
    const servers = serversOf();
    const offer = await servers.offer(profile(address("web", server.url, { Authorization: "Bearer kite-key" })), "run_1", never);
    expect(offer.missing).toEqual([]);
    expect(await call(offer, "mcp_web_echo", { text: "hi" })).toEqual({ status: "ok", result: "over http: hi" });
    expect(server.seen.every(({ headers }) => headers.authorization === "Bearer kite-key")).toBe(true);
    await servers.close();
    expect(server.seen.at(-1)?.method).toBe("DELETE");
  });

  it("answers by the older event stream where it knows no other", async () => {
    const server = await openEventServer();
    closers.push(server.close);
    const offer = await serversOf().offer(profile(address("old", server.url, { "X-Key": "kite-key" })), "run_1", never);
    expect(offer.missing).toEqual([]);
    expect(await call(offer, "mcp_old_echo", { text: "hi" })).toEqual({ status: "ok", result: "over http: hi" });
    expect(server.seen.every(({ headers }) => headers["x-key"] === "kite-key")).toBe(true);
  });

  it("that sends visitors elsewhere is not followed there with the headers", async () => {
    const elsewhere = await openStreamableServer();
    const server = await openRedirectingServer(elsewhere.url);
    closers.push(elsewhere.close, server.close);
    const offer = await serversOf().offer(profile(address("web", server.url, { Authorization: "Bearer kite-key" })), "run_1", never);
    expect(offer.tools).toEqual([]);
    expect(offer.missing[0]).toContain("not followed");
    expect(elsewhere.seen).toEqual([]);
  });

  it("that is gone is a tool error for those who call it, and missing in the next turn", async () => {
    const server = await openStreamableServer();
    const servers = serversOf();
    const web = profile(address("web", server.url));
    const offer = await servers.offer(web, "run_1", never);
    await server.close();
    expect(await call(offer, "mcp_web_echo", { text: "hi" })).toMatchObject({ status: "error", result: expect.stringContaining("was lost in the middle of the call") });
    expect((await servers.offer(web, "run_2", never)).missing[0]).toContain("ECONNREFUSED");
    expect(await call(offer, "mcp_web_echo", { text: "hi" })).toMatchObject({ status: "error", result: expect.stringContaining("is not there") });
  });
});
