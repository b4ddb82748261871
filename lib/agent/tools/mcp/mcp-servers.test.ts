import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "#testing/until";
import { toolSchemas } from "../registry";
import { openMcpStory, type McpStory } from "./mcp-story.fixture";

const never = new AbortController().signal;
let story: McpStory;

beforeEach(async () => {
  story = await openMcpStory();
});
afterEach(() => story.close());

describe("a server that is a program", () => {
  it("offers its tools by its own schema and answers calls, one process for all runs", async () => {
    const servers = story.serversOf();
    const offer = await servers.offer(story.profile(story.program("kite shop")), "run_1", never);
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
    expect(await story.call(offer, "mcp_kite_shop_echo", { text: "hi" })).toEqual({ status: "ok", result: "you said hi" });
    expect(await story.call(offer, "mcp_kite_shop_fail", {})).toEqual({ status: "error", result: "no such kite" });
    expect(await story.call(offer, "mcp_kite_shop_refuse", {})).toMatchObject({ status: "error", result: expect.stringContaining("not today") });
    expect((await story.call(offer, "mcp_kite_shop_picture", {})).result).toBe("look:\n[image image/png, 3 bytes, not shown]");
    expect((await story.call(offer, "mcp_kite_shop_structured", {})).result).toBe('{"kites":2}');
    const again = await servers.offer(story.profile(story.program("kite shop")), "run_2", never);
    expect(await story.call(again, "mcp_kite_shop_echo", { text: "you" })).toMatchObject({ status: "ok" });
    expect((await story.written()).match(/started/g)).toHaveLength(1);
    expect(servers.status(story.profile(story.program("kite shop")))).toMatchObject([{ server: "kite shop", transport: "stdio", status: "ready", reason: null, tools: expect.arrayContaining(["echo"]) }]);
  });

  it("sees the clean environment, what its settings give it, and its profile's home", async () => {
    const offer = await story.serversOf().offer(story.profile(story.program("kite", "honest", { env: { KITE_TOKEN: "t0ken-of-kites" } })), "run_1", never);
    const { result } = await story.call(offer, "mcp_kite_environment", {});
    const seen: unknown = JSON.parse(result);
    expect(seen).toMatchObject({ KITE_TOKEN: "t0ken-of-kites", cwd: story.fixture.base, HERMES_CHILD_MARK: expect.stringContaining("run_1") });
    expect(result).not.toContain("owner-secret");
    expect(result).not.toContain("HERMES_WEBUI_PASSWORD");
  });

  it("offers what is included and not excluded, and asks where the settings say so", async () => {
    const server = story.program("kite", "honest", { include: ["echo", "fail", "die"], exclude: ["die"], asks: ["fail"] });
    const offer = await story.serversOf().offer(story.profile(server, story.program("all", "honest", { include: ["echo"], asks: "all" })), "run_1", never);
    expect(offer.tools.map(({ name, asks }) => [name, asks])).toEqual([["mcp_kite_echo", false], ["mcp_kite_fail", true], ["mcp_all_echo", true]]);
  });

  it("hears of tools that came later with the next turn", async () => {
    const servers = story.serversOf();
    const offer = await servers.offer(story.profile(story.program("kite")), "run_1", never);
    await story.call(offer, "mcp_kite_grow", {});
    await until(async () => (await servers.offer(story.profile(story.program("kite")), "run_2", never)).tools.some(({ name }) => name === "mcp_kite_later"));
  });

  it("is told of a stop, and lives on", async () => {
    const offer = await story.serversOf().offer(story.profile(story.program("kite")), "run_1", never);
    const running = story.call(offer, "mcp_kite_slow", { steps: 1000, step_ms: 10 });
    await until(() => story.fixture.updates.length > 1);
    expect(story.fixture.updates[0]).toEqual({ progress: "1 of 1000\n" });
    story.fixture.abort();
    expect(await running).toMatchObject({ status: "cancelled" });
    await until(async () => (await story.written()).includes("slow was cancelled"));
  });

  it("may take longer than its limit as long as it reports progress, and no longer without", async () => {
    const offer = await story.serversOf().offer(story.profile(story.program("kite", "honest", { timeout_s: 0.4 })), "run_1", never);
    expect(await story.call(offer, "mcp_kite_slow", { steps: 8, step_ms: 100 })).toMatchObject({ status: "ok", result: "slow but done" });
    expect(await story.call(offer, "mcp_kite_slow", { steps: 1, step_ms: 5000 })).toMatchObject({ status: "error", result: expect.stringContaining("did not answer within") });
    expect(await story.call(offer, "mcp_kite_echo", { text: "still" })).toMatchObject({ status: "ok" });
  });

  it("that dies in the middle of a call costs that call only", async () => {
    const servers = story.serversOf();
    const offer = await servers.offer(story.profile(story.program("kite")), "run_1", never);
    expect(await story.call(offer, "mcp_kite_die", {})).toEqual({
      status: "error",
      result: "The MCP server kite was lost in the middle of the call, which may have had an effect. It ended with exit code 3",
    });
    expect(servers.status(story.profile(story.program("kite")))).toMatchObject([{ status: "failed", reason: "It ended with exit code 3" }]);
    expect(await story.call(offer, "mcp_kite_echo", { text: "back" })).toMatchObject({ status: "ok", result: "you said back" });
  });
});

describe("M1 a server never fails a run", () => {
  it("one that hangs is waited for only so long, and is ended with its tree although it ignores TERM", async () => {
    const servers = story.serversOf({ wait_ms: 300, start_ms: 900 });
    const offer = await servers.offer(story.profile(story.program("stuck", "hanging"), story.program("kite")), "run_1", never);
    expect(offer.missing.filter((text) => text.includes("stuck"))).toEqual(["The tools of the MCP server stuck are missing in this turn. It is still starting."]);
    await until(() => servers.status(story.profile(story.program("stuck", "hanging")))[0]?.status === "failed");
    expect(servers.status(story.profile(story.program("stuck", "hanging")))[0]?.reason).toBe("It did not start within 1 s.");
    const pid = Number(/started (\d+)\n/.exec(await story.written())?.[1]);
    await servers.close();
    expect(await story.running([pid])).toEqual([]);
  }, 30_000);

  it("one that is slow to start is there for the next turn", async () => {
    const servers = story.serversOf({ wait_ms: 50 });
    const slow = story.profile(story.program("kite", "slow to start", { env: { START_MS: "500" } }));
    expect((await servers.offer(slow, "run_1", never)).tools).toEqual([]);
    await until(() => servers.status(slow)[0]?.status === "ready");
    expect((await servers.offer(slow, "run_2", never)).missing).toEqual([]);
    expect((await story.written()).match(/started/g)).toHaveLength(1);
  });

  it("one that fails says why, without its secrets, and is left in peace for a while", async () => {
    const servers = story.serversOf();
    const failing = story.profile(story.program("kite", "failing", { env: { KITE_TOKEN: "t0ken-of-kites" } }), story.program("gone", "honest", { command: "/no/such/program" }));
    const offer = await servers.offer(failing, "run_1", never);
    expect(offer.tools).toEqual([]);
    expect(offer.missing).toEqual([
      "The tools of the MCP server kite are missing in this turn. It ended with exit code 7: Cannot log in with [redacted]",
      "The tools of the MCP server gone are missing in this turn. It could not be started: spawn /no/such/program ENOENT",
    ]);
    await servers.offer(failing, "run_2", never);
    expect((await story.written()).match(/started/g)).toHaveLength(1);
  });

  it("one that prints something else all the time is given up", async () => {
    const servers = story.serversOf();
    const offer = await servers.offer(story.profile(story.program("kite", "chatting")), "run_1", never);
    expect(offer.missing).toEqual(["The tools of the MCP server kite are missing in this turn. What it prints is not of this protocol"]);
  });

  it("one that lies about its tools is taken at what makes sense", async () => {
    const servers = story.serversOf();
    const lying = story.profile(story.program("kite", "lying"));
    const { tools } = await servers.offer(lying, "run_1", never);
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(["mcp_kite_echo", "mcp_kite_no_schema"]));
    expect(names).not.toContain("mcp_kite_list");
    expect(servers.status(lying)[0]).toMatchObject({ status: "ready", reason: expect.stringContaining("of its tools cannot be used") });
  });

  it("a run that is stopped does not wait for it", async () => {
    const stop = new AbortController();
    const offered = story.serversOf().offer(story.profile(story.program("kite", "hanging")), "run_1", stop.signal);
    stop.abort();
    expect((await offered).tools).toEqual([]);
  });
});
