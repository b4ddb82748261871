/**
 * An MCP server at an address: by the streamable transport, or by the older event stream where the
 * server does not know that one. Redirects are followed within the address's origin only, so the
 * headers, which may hold a key, reach nobody else.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { boundedFetch } from "./bounded-fetch";

export interface OpenHttp {
  readonly client: Client;
  /** Tells the server that its session is over, as far as it wants to know. */
  readonly leave: () => Promise<void>;
}

const LEAVE_MS = 1000;
/** What a server answers to a POST that it has no use for. */
const SAYS_UNKNOWN: ReadonlySet<number> = new Set([400, 404, 405, 406, 415]);

async function leaveSession(transport: StreamableHTTPClientTransport): Promise<void> {
  // A server that is gone, or that keeps no sessions, needs no farewell.
  const told = transport.terminateSession().catch(() => undefined);
  await Promise.race([told, sleep(LEAVE_MS, undefined, { ref: false })]);
}

/** `connect` closes the transport when it rejects. */
export async function openHttp(place: { readonly url: string; readonly headers: Readonly<Record<string, string>> }, connect: (transport: Transport) => Promise<Client>): Promise<OpenHttp> {
  const url = new URL(place.url);
  const options = { requestInit: { headers: { ...place.headers } }, fetch: boundedFetch };
  const streamable = new StreamableHTTPClientTransport(url, options);
  try {
    const client = await connect(streamable);
    return { client, leave: () => leaveSession(streamable) };
  } catch (error) {
    if (!(error instanceof StreamableHTTPError) || !SAYS_UNKNOWN.has(error.code ?? 0)) throw error;
    return { client: await connect(new SSEClientTransport(url, options)), leave: () => Promise.resolve() };
  }
}
