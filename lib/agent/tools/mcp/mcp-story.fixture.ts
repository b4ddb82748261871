/** What the stories of MCP servers share: a workspace, servers that are our own little program, and short ways to call them. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { McpServer } from "#profiles/mcp-servers";
import { createProcessTable } from "../process-table";
import { runTool } from "../run-tool";
import { makeToolFixture, type ToolFixture } from "../tool-fixture";
import type { ToolOutcome } from "../tool-port";
import { createMcpServers, type McpOffer, type McpServers } from "./mcp-servers";
import { CONNECTION_TIMING, type ConnectionTiming } from "./server-connection";

const PROGRAM = fileURLToPath(new URL("../../../testing/mcp-stdio-server.mjs", import.meta.url));
type ProgramServer = Extract<McpServer, { transport: "stdio" }>;

export interface McpStory {
  readonly fixture: ToolFixture;
  /** A file in which the program writes what happens to it. */
  readonly notes: string;
  program(name: string, manner?: string, more?: Partial<ProgramServer>): McpServer;
  address(name: string, url: string, headers?: Readonly<Record<string, string>>): McpServer;
  serversOf(timing?: Partial<ConnectionTiming>): McpServers;
  profile(...servers: readonly McpServer[]): { readonly name: string; readonly home: string; readonly servers: readonly McpServer[] };
  call(offer: McpOffer, name: string, given: unknown): Promise<ToolOutcome>;
  written(): Promise<string>;
  /** Those that still run; a zombie does not. */
  running(pids: readonly number[]): Promise<readonly number[]>;
  /** Closed with the story. */
  atEnd(close: () => Promise<void>): void;
  close(): Promise<void>;
}

export async function openMcpStory(): Promise<McpStory> {
  const fixture = await makeToolFixture();
  const notes = path.join(fixture.base, "notes");
  await writeFile(notes, "");
  const open: McpServers[] = [];
  const closers: (() => Promise<void>)[] = [];
  return {
    fixture,
    notes,
    program: (name, manner = "honest", more = {}) => {
      const { env, ...rest } = more;
      return {
        ...{ name, timeout_s: null, include: null, exclude: [], asks: [], transport: "stdio", command: process.execPath, args: [PROGRAM], cwd: null },
        env: { MANNER: manner, NOTES: notes, ...env },
        ...rest,
      };
    },
    address: (name, url, headers = {}) => ({ name, timeout_s: null, include: null, exclude: [], asks: [], transport: "http", url, headers }),
    serversOf: (timing = {}) => {
      const ambient = { PATH: process.env["PATH"], OPENAI_API_KEY: "sk-owner-secret", HERMES_WEBUI_PASSWORD: "p" };
      const servers = createMcpServers({ ambient, timing: { ...CONNECTION_TIMING, ...timing } });
      open.push(servers);
      return servers;
    },
    profile: (...servers) => ({ name: "default", home: fixture.base, servers }),
    call: (offer, name, given) => runTool(offer.tools.find((tool) => tool.name === name), name, given, fixture.context),
    written: () => readFile(notes, "utf8"),
    running: async (pids) => {
      const rows = await createProcessTable(process.platform).rows();
      return pids.filter((pid) => rows.some((row) => row.pid === pid));
    },
    atEnd: (close) => void closers.push(close),
    close: async () => {
      await Promise.all(open.map((servers) => servers.close()));
      await Promise.all(closers.map((close) => close()));
      await fixture.remove();
    },
  };
}
