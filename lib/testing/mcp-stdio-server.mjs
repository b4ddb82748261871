/**
 * A small MCP server over stdio, for tests: a few honest tools, and by the variable MANNER a server
 * that hangs, fails, chats on its output, is slow to start, or lies about its tools.
 */
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const { MANNER = "honest", NOTES } = process.env;

/** What happened, for the test to read. */
function note(line) {
  if (NOTES !== undefined) appendFileSync(NOTES, `${line}\n`);
}

const text = (value) => ({ content: [{ type: "text", text: value }] });
const anything = { type: "object" };
let offersMore = false;

const TOOLS = {
  echo: (given) => text(`you said ${given.text}`),
  environment: () => text(JSON.stringify({ ...process.env, cwd: process.cwd() })),
  fail: () => ({ ...text("no such kite"), isError: true }),
  picture: () => ({ content: [{ type: "text", text: "look:" }, { type: "image", data: "QUJD", mimeType: "image/png" }] }),
  structured: () => ({ content: [], structuredContent: { kites: 2 } }),
  die: () => process.exit(3),
  refuse: () => {
    throw new Error("not today");
  },
  slow: async (given, { signal, sendNotification, _meta }) => {
    note("slow began");
    signal.addEventListener("abort", () => note("slow was cancelled"));
    const progressToken = _meta?.progressToken;
    for (let step = 1; step <= given.steps && !signal.aborted; step += 1) {
      await sleep(given.step_ms);
      await sendNotification({ method: "notifications/progress", params: { progressToken, progress: step, total: given.steps } });
    }
    return text("slow but done");
  },
  grow: async (_given, { sendNotification }) => {
    offersMore = true;
    await sendNotification({ method: "notifications/tools/list_changed" });
    return text("grown");
  },
};

const ECHO_SCHEMA = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: { text: { type: "string", description: "What to say." }, tone: { $ref: "#/definitions/tone" } },
  required: ["text"],
  definitions: { tone: { enum: ["loud", "soft"] } },
};

function toolList() {
  const honest = Object.keys(TOOLS).map((name) => ({ name, description: `Does ${name}.`, inputSchema: name === "echo" ? ECHO_SCHEMA : anything }));
  if (offersMore) honest.push({ name: "later", inputSchema: anything });
  if (MANNER !== "lying") return honest;
  return [...honest, ...honest, { name: "", inputSchema: anything }, { name: "list", inputSchema: { type: "array" } }, { name: "no schema" }, "what"];
}

async function serve() {
  const server = new Server({ name: "kite", version: "1" }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolList() }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => TOOLS[params.name](params.arguments ?? {}, extra));
  await server.connect(new StdioServerTransport());
}

note(`started ${process.pid}`);
process.on("exit", () => note("ended"));
switch (MANNER) {
  case "hanging":
    process.stdin.resume();
    process.on("SIGTERM", () => note("TERM"));
    setInterval(() => undefined, 1000);
    break;
  case "failing":
    process.stderr.write(`Cannot log in with ${process.env.KITE_TOKEN}\n`);
    process.exitCode = 7;
    break;
  case "chatting":
    setInterval(() => process.stdout.write("hello, I am a log line\n".repeat(100)), 1);
    break;
  case "brooding":
    // A child that left the group and the session, and does not read stdin.
    note(`child ${spawn("sleep", ["300"], { detached: true, stdio: "ignore" }).pid}`);
    await serve();
    break;
  case "slow to start":
    await sleep(Number(process.env.START_MS));
    await serve();
    break;
  default:
    process.stdout.write("a friendly banner that is no message\n");
    await serve();
}
