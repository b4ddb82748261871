/**
 * Opens a connection to an MCP server and asks for its tools. The packages come in with this file,
 * and this file by the first profile that has a server: they cost a start a quarter of a second.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, McpError, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { callResultSchema, outcomeOf } from "./call-result";
import { reasonOf } from "./failure-reason";
import { openHttp } from "./open-http";
import type { ServerAnswer, ServerCall, ServerClient } from "./server-client";
import { type ReadTools, readTools, toolPageSchema } from "./server-tools";
import { type ServerProgram, StdioTransport } from "./stdio-transport";

export type ServerPlace =
  | { readonly kind: "program"; readonly program: ServerProgram }
  | { readonly kind: "address"; readonly url: string; readonly headers: Readonly<Record<string, string>> };

const MAX_PAGES = 20;
const LIST_MS = 60_000;
/** However much progress a call reports. */
const LONGEST_CALL_MS = 60 * 60_000;

/** Aborting the signal closes whatever was begun. Rejects with an error whose message tells why. */
export async function openClient(place: ServerPlace, signal: AbortSignal): Promise<ServerClient> {
  if (place.kind === "address") {
    const { client, leave } = await openHttp(place, (transport) => connect(transport, signal));
    return listed(new OpenClient(client, () => "", leave), signal);
  }
  const transport = new StdioTransport(place.program);
  try {
    const client = await connect(transport, signal);
    return await listed(new OpenClient(client, () => transport.lastWords, () => Promise.resolve()), signal);
  } catch (error) {
    await transport.close();
    throw transport.lastWords === "" ? error : new Error(transport.lastWords, { cause: error });
  }
}

async function connect(transport: Transport, signal: AbortSignal): Promise<Client> {
  const client = new Client({ name: "hermes-webui", version: "1" }, { capabilities: {} });
  let abandon = (): void => undefined;
  const abandoned = new Promise<never>((_resolve, reject) => {
    abandon = () => reject(new Error("It did not answer in time."));
  });
  signal.addEventListener("abort", abandon, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([client.connect(transport, { timeout: LIST_MS }), abandoned]);
    return client;
  } catch (error) {
    await transport.close();
    throw error;
  } finally {
    signal.removeEventListener("abort", abandon);
  }
}

async function listed(client: OpenClient, signal: AbortSignal): Promise<ServerClient> {
  try {
    await client.list(signal);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

class OpenClient implements ServerClient {
  readonly over: Promise<string>;
  private known: ReadTools = { tools: [], left_out: 0 };
  private changed = false;

  constructor(
    private readonly client: Client,
    private readonly lastWords: () => string,
    private readonly leave: () => Promise<void>,
  ) {
    this.over = new Promise((resolve) => {
      client.onclose = () => resolve(this.lastWords());
    });
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      this.changed = true;
    });
  }

  get tools(): ReadTools {
    return this.known;
  }

  async list(signal: AbortSignal): Promise<void> {
    this.changed = false;
    if (this.client.getServerCapabilities()?.tools === undefined) return;
    const entries: unknown[] = [];
    let params: { readonly cursor?: string } = {};
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { tools, nextCursor } = await this.page(params, signal);
      if (tools === null) throw new Error("It sent no list of tools.");
      entries.push(...tools);
      if (nextCursor === null || nextCursor === undefined) break;
      params = { cursor: nextCursor };
    }
    this.known = readTools(entries);
  }

  private page(params: { readonly cursor?: string }, signal: AbortSignal) {
    return this.client.request({ method: "tools/list", params }, toolPageSchema, { signal, timeout: LIST_MS });
  }

  async refresh(): Promise<void> {
    if (!this.changed) return;
    await this.list(AbortSignal.timeout(LIST_MS)).catch(() => {
      this.changed = true; // Asked again with the next turn.
    });
  }

  async call(call: ServerCall): Promise<ServerAnswer> {
    // A signal of its own: the run's would tell the server of the stop for each call that ended long ago.
    const stop = new AbortController();
    const onAbort = (): void => stop.abort("stopped");
    call.signal.addEventListener("abort", onAbort, { once: true });
    try {
      if (call.signal.aborted) return { kind: "aborted" };
      const result = await this.client.request({ method: "tools/call", params: { name: call.tool, arguments: { ...call.input } } }, callResultSchema, {
        signal: stop.signal,
        timeout: call.timeout_ms,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: Math.max(call.timeout_ms, LONGEST_CALL_MS),
        onprogress: ({ progress, total, message }) => call.progress(message ?? (total === undefined ? String(progress) : `${progress} of ${total}`)),
      });
      return { kind: "outcome", outcome: outcomeOf(result) };
    } catch (error) {
      return call.signal.aborted ? { kind: "aborted" } : this.failure(error);
    } finally {
      call.signal.removeEventListener("abort", onAbort);
    }
  }

  async close(): Promise<void> {
    await this.leave();
    await this.client.close();
  }

  private failure(error: unknown): ServerAnswer {
    if (!(error instanceof McpError)) return { kind: "broken", message: reasonOf(error) };
    if (error.code === ErrorCode.RequestTimeout) return { kind: "timeout" };
    if (error.code === ErrorCode.ConnectionClosed) return { kind: "broken", message: this.lastWords() };
    return { kind: "refused", message: error.message };
  }
}
