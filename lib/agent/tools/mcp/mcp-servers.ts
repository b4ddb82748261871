/**
 * The MCP servers of all profiles of a process: one connection each per profile, opened by the first
 * run that needs it and shared by all later ones. A profile's settings are compared at each use: a
 * server that is gone from them is closed, one that changed is closed and begun anew.
 */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { z } from "zod";
import type { McpServer } from "#profiles/mcp-servers";
import { childEnvironment } from "../child-environment";
import { defineTool, oneLine } from "../define-tool";
import { createProcessTable, type ProcessTable } from "../process-table";
import type { Tool } from "../tool-port";
import type { ServerPlace } from "./open-client";
import { CONNECTION_TIMING, type ConnectionTiming, ServerConnection } from "./server-connection";
import type { ServerToolEntry } from "./server-tools";
import { nameTools } from "./tool-names";

export interface McpProfile {
  readonly name: string;
  /** Absolute; the working folder of programs that name none. */
  readonly home: string;
  readonly servers: readonly McpServer[];
}

/** What a run gets. */
export interface McpOffer {
  readonly tools: readonly Tool[];
  /** One sentence for each server whose tools are missing. */
  readonly missing: readonly string[];
}

export interface McpServerStatus {
  readonly server: string;
  readonly transport: McpServer["transport"];
  readonly status: "idle" | "starting" | "ready" | "failed";
  /** Its own names of them. */
  readonly tools: readonly string[];
  readonly reason: string | null;
}

export interface McpServers {
  /** Opens what is not open yet; in at most 10 s, never rejects. */
  offer(profile: McpProfile, runId: string, signal: AbortSignal): Promise<McpOffer>;
  /** As it is; opens nothing. */
  status(profile: McpProfile): readonly McpServerStatus[];
  /** For good: ends all programs with their trees. */
  close(): Promise<void>;
}

export interface McpOptions {
  /** The owner's environment, of which a program sees a few variables (see child-environment). */
  readonly ambient: Readonly<Record<string, string | undefined>>;
  readonly timing?: ConnectionTiming;
  readonly table?: ProcessTable;
}

/** In the mark of a program where a child of a session has the session. */
const NO_SESSION = "mcp";
const TITLE_ARGUMENTS_CHARACTERS = 300;
const anyArguments = z.record(z.string(), z.unknown());

interface Entry {
  readonly fingerprint: string;
  readonly connection: ServerConnection;
}

export function createMcpServers(options: McpOptions): McpServers {
  return new ConnectionBook(options);
}

class ConnectionBook implements McpServers {
  private readonly profiles = new Map<string, Map<string, Entry>>();
  private readonly closings = new Set<Promise<void>>();
  private readonly table: ProcessTable;
  private readonly timing: ConnectionTiming;
  private closed = false;

  constructor(private readonly options: McpOptions) {
    this.table = options.table ?? createProcessTable(process.platform);
    this.timing = options.timing ?? CONNECTION_TIMING;
  }

  async offer(profile: McpProfile, runId: string, signal: AbortSignal): Promise<McpOffer> {
    const connections = this.connectionsOf(profile);
    await Promise.all(connections.map((connection) => connection.open(runId, signal)));
    const missing = connections.flatMap((connection) => {
      const { status, reason } = connection.view();
      return status === "ready" ? [] : [`The tools of the MCP server ${connection.server.name} are missing in this turn. ${reason ?? ""}`.trim()];
    });
    return { tools: toolsOf(connections), missing };
  }

  status(profile: McpProfile): readonly McpServerStatus[] {
    const entries = this.profiles.get(profile.name);
    return profile.servers.map((server) => {
      const entry = entries?.get(server.name);
      const view = entry?.fingerprint === fingerprintOf(profile, server) ? entry.connection.view() : null;
      const shown = view?.tools.filter((tool) => isOffered(server, tool)).map(({ name }) => name);
      return { server: server.name, transport: server.transport, status: view?.status ?? "idle", tools: shown ?? [], reason: view?.reason ?? null };
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const entries of this.profiles.values()) for (const { connection } of entries.values()) this.end(connection);
    this.profiles.clear();
    await Promise.all([...this.closings]);
  }

  private connectionsOf(profile: McpProfile): readonly ServerConnection[] {
    if (this.closed) return [];
    const before = this.profiles.get(profile.name) ?? new Map<string, Entry>();
    const now = new Map<string, Entry>();
    for (const server of profile.servers) {
      const fingerprint = fingerprintOf(profile, server);
      const kept = before.get(server.name);
      now.set(server.name, kept?.fingerprint === fingerprint ? kept : { fingerprint, connection: this.connectionTo(profile, server) });
    }
    for (const entry of before.values()) if (now.get(entry.connection.server.name) !== entry) this.end(entry.connection);
    this.profiles.set(profile.name, now);
    return [...now.values()].map(({ connection }) => connection);
  }

  private connectionTo(profile: McpProfile, server: McpServer): ServerConnection {
    return new ServerConnection(server, (runId) => this.placeOf(profile, server, runId), this.timing);
  }

  private placeOf(profile: McpProfile, server: McpServer, runId: string): ServerPlace {
    if (server.transport === "http") return { kind: "address", url: server.url, headers: server.headers };
    // It outlives the run that started it, like a background process, but belongs to no session.
    const mark = { run_id: runId, session_id: NO_SESSION, tree: `mcp-${randomUUID()}`, background: true };
    const { command, args, env, cwd } = server;
    const environment = childEnvironment(this.options.ambient, env, mark);
    return { kind: "program", program: { command, args, cwd: path.resolve(profile.home, cwd ?? "."), environment, mark, table: this.table } };
  }

  private end(connection: ServerConnection): void {
    const closing = connection.close().finally(() => this.closings.delete(closing));
    this.closings.add(closing);
  }
}

function fingerprintOf(profile: McpProfile, server: McpServer): string {
  return JSON.stringify([profile.home, server]);
}

function isOffered(server: McpServer, tool: ServerToolEntry): boolean {
  return (server.include === null || server.include.includes(tool.name)) && !server.exclude.includes(tool.name);
}

function toolsOf(connections: readonly ServerConnection[]): readonly Tool[] {
  const offered = connections.flatMap((connection) =>
    connection
      .view()
      .tools.filter((tool) => isOffered(connection.server, tool))
      .map((tool) => ({ connection, tool })),
  );
  const names = nameTools(offered.map(({ connection, tool }) => ({ server: connection.server.name, tool: tool.name })));
  return offered.map(({ connection, tool }, index) => toolOf(connection, tool, names[index] ?? tool.name));
}

function toolOf(connection: ServerConnection, tool: ServerToolEntry, name: string): Tool {
  const { server } = connection;
  return defineTool({
    name,
    description: tool.description === "" ? `The tool ${tool.name} of the MCP server ${server.name}.` : tool.description,
    kind: "other",
    input: anyArguments,
    parameters: tool.parameters,
    title: (input) => oneLine(`${server.name}: ${tool.name}${shortly(input)}`),
    asks: server.asks === "all" || server.asks.includes(tool.name),
    run: (input, context) => connection.call(tool.name, input, context),
  });
}

function shortly(input: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(input);
  if (text === "{}") return "";
  return ` ${text.length <= TITLE_ARGUMENTS_CHARACTERS ? text : `${text.slice(0, TITLE_ARGUMENTS_CHARACTERS)}…`}`;
}
