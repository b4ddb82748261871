/** What a profile adds to its runs: the tools of its MCP servers, and its own word on approvals. */
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import type { ModelPart, ModelPort, ModelRequest } from "#agent/model/model-port";
import type { McpServer } from "#profiles/mcp-servers";
import { until } from "#testing/until";
import { type HostStory, openStory } from "./host-story.fixture";

const PROGRAM = fileURLToPath(new URL("../testing/mcp-stdio-server.mjs", import.meta.url));

let story: HostStory | null = null;
afterEach(async () => {
  await story?.close();
  story = null;
});

function kite(manner: string, asks: McpServer["asks"]): McpServer {
  return { name: "kite", timeout_s: null, include: null, exclude: [], asks, transport: "stdio", command: process.execPath, args: [PROGRAM], env: { MANNER: manner }, cwd: null };
}

/** Calls `mcp_kite_echo` once, then says what came back. */
function echoingModel(requests: ModelRequest[]): ModelPort {
  return {
    provider: "scripted",
    async *stream(request): AsyncGenerator<ModelPart> {
      requests.push(request);
      const last = request.messages.at(-1);
      if (request.tools.length === 0 || last?.role === "tool") {
        yield { type: "text", text: `It said: ${JSON.stringify(last?.content)}` };
        yield { type: "finish", reason: "stop" };
        return;
      }
      yield { type: "tool-call", provider_call_id: "c1", name: "mcp_kite_echo", arguments: { text: "hi" }, raw: '{"text":"hi"}' };
      yield { type: "finish", reason: "tool_calls" };
    },
  };
}

it("a run uses the tools of its profile's MCP servers, and asks where the settings say so", async () => {
  const requests: ModelRequest[] = [];
  story = await openStory({ port: echoingModel(requests), mcp_servers: [kite("honest", "all")] });
  const { host, start, view, ended } = story;
  const { run_id } = await start("use the kite");
  await until(async () => (await view(run_id)).status === "awaiting_approval");
  const prompt = (await view(run_id)).parts.find((part) => part.type === "approval");
  expect(prompt).toMatchObject({ summary: "Use the tool mcp_kite_echo", choices: ["once", "session", "always", "deny"] });
  expect(await host.host.respondApproval(run_id, prompt?.type === "approval" ? prompt.approval_id : "", "once")).toMatchObject({ ok: true });
  const tool = (await ended(run_id)).parts.find((part) => part.type === "tool");
  expect(tool).toMatchObject({ name: "mcp_kite_echo", title: 'kite: echo {"text":"hi"}', status: "ok", result: "you said hi" });
  expect(requests[0]?.tools.find(({ name }) => name === "mcp_kite_echo")?.parameters).toMatchObject({ required: ["text"] });
  await story.lawful(run_id);
});

it("M1 a server that fails is told in the run, which goes on without its tools", async () => {
  story = await openStory({ port: echoingModel([]), mcp_servers: [kite("failing", [])] });
  const { run_id } = await story.start("use the kite");
  const view = await story.ended(run_id);
  expect(view.terminal_state).toBe("completed");
  expect(view.parts.find((part) => part.type === "tool")).toMatchObject({ status: "error", result: "There is no tool named mcp_kite_echo." });
  const events = await story.lawful(run_id);
  expect(events.find((event) => event.type === "progress")).toMatchObject({ payload: { kind: "warning", text: expect.stringContaining("The tools of the MCP server kite are missing in this turn.") } });
});

it("the profile's word on approvals wins over the settings'", async () => {
  story = await openStory({ approvals: { mode: "off", timeout_s: null }, env: { HERMES_APPROVAL_MODE: "manual" } });
  const free = await story.start("run rm -rf build");
  expect((await story.ended(free.run_id)).parts.find((part) => part.type === "tool")).toMatchObject({ status: "ok" });
  await story.close();
  story = await openStory({ approvals: { mode: "manual", timeout_s: 1 }, env: { HERMES_APPROVAL_MODE: "off" } });
  const asking = await story.start("run rm -rf build");
  expect((await story.ended(asking.run_id)).parts.find((part) => part.type === "approval")).toMatchObject({ status: "expired" });
  await story.close();
  story = await openStory({ env: { HERMES_APPROVAL_MODE: "off" } });
  const silent = await story.start("run rm -rf build");
  expect((await story.ended(silent.run_id)).parts.find((part) => part.type === "tool")).toMatchObject({ status: "ok" });
});
