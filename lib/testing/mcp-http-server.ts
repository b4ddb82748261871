/** MCP servers at loopback addresses, for tests: one that streams, one of the older kind, and one that sends its visitors elsewhere. */
import { z } from "zod";
import { randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server as HttpServer, type ServerResponse } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

export interface McpHttpServer {
  readonly url: string;
  /** Of each request, in order. */
  readonly seen: readonly { readonly method: string; readonly headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

function kiteServer(): Server {
  const server = new Server({ name: "kite", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: "echo", description: "Says it again.", inputSchema: { type: "object" as const } }] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({ content: [{ type: "text", text: `over http: ${String(params.arguments?.["text"])}` }] }));
  return server;
}

async function listen(handle: Handle): Promise<McpHttpServer> {
  const seen: { method: string; headers: IncomingHttpHeaders }[] = [];
  const server: HttpServer = createServer((request, response) => {
    seen.push({ method: request.method ?? "", headers: request.headers });
    void handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function openStreamableServer(): Promise<McpHttpServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return listen(async (request, response) => {
    const known = sessions.get(String(request.headers["mcp-session-id"] ?? ""));
    if (known !== undefined) return known.handleRequest(request, response);
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await kiteServer().connect(transport);
    await transport.handleRequest(request, response);
  });
}

export function openEventServer(): Promise<McpHttpServer> {
  const sessions = new Map<string, SSEServerTransport>();
  return listen(async (request, response) => {
    const address = new URL(request.url ?? "/", "http://loopback");
    if (request.method === "GET") {
      const transport = new SSEServerTransport("/messages", response);
      sessions.set(transport.sessionId, transport);
      return kiteServer().connect(transport);
    }
    const known = address.pathname === "/messages" ? sessions.get(address.searchParams.get("sessionId") ?? "") : undefined;
    if (known !== undefined) return known.handlePostMessage(request, response);
    response.writeHead(405).end();
  });
}

/** Every request is answered by a redirect to `target`. */
export function openRedirectingServer(target: string): Promise<McpHttpServer> {
  return listen((_request, response) => void response.writeHead(307, { location: target }).end());
}
