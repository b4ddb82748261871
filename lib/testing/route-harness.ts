/**
 * Routes on a real database file with a real host in this process: a request goes in as the framework
 * would hand it over, the answer comes out.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import type { ModelPort } from "#agent/model/model-port";
import { readSettings, type Environment } from "#config/settings";
import { createInProcessRuntime } from "#runtime/in-process-runtime";
import type { Runtime } from "#runtime/runtime-adapter";
import { assembleServer } from "#server/assemble-server";
import type { RouteHandler } from "#server/handle";
import { fillSlot } from "#server/process-slot";
import type { Server } from "#server/server";
import type { StreamTiming } from "#http/sse";
import { openTestHost, type TestHost } from "./test-host";

export interface RouteRequest {
  readonly method?: string;
  /** Path with query. */
  readonly path?: string;
  /** Sent as JSON when it is no text, bytes or form. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The socket's other end; null: nobody marked the request. */
  readonly peer?: string | null;
}

export interface RouteAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface RouteHarness {
  readonly server: Server;
  readonly host: TestHost;
  readonly folder: string;
  send(handler: RouteHandler, request?: RouteRequest): Promise<Response>;
  call(handler: RouteHandler, request?: RouteRequest): Promise<RouteAnswer>;
  close(): Promise<void>;
}

export interface HarnessOptions {
  readonly env?: Environment;
  /** The practice model unless said. */
  readonly port?: ModelPort;
  readonly streamTiming?: StreamTiming;
  readonly wrapRuntime?: (runtime: Runtime) => Runtime;
  readonly now?: () => number;
}

export async function openRouteHarness(options: HarnessOptions = {}): Promise<RouteHarness> {
  const folder = mkdtempSync(join(tmpdir(), "routes-"));
  const read = readSettings({ HERMES_HOME: join(folder, "home"), HERMES_WEBUI_STATE_DIR: folder, HERMES_WORKSPACE: join(folder, "workspace"), ...options.env });
  if (!read.ok) throw new Error(read.message);
  const host = await openTestHost({ folder, ...(options.port === undefined ? {} : { port: options.port }) });
  const runtime = createInProcessRuntime({ mode: "legacy-direct", open: host, journal: host.journal, database: host.database, version: "0.0.0" });
  const server = assembleServer({
    version: "0.0.0",
    settings: read.settings,
    logger: pino({ level: "silent" }),
    database: host.database,
    journal: host.journal,
    runtime: options.wrapRuntime?.(runtime) ?? runtime,
    closeParts: () => host.shut(),
    ...(options.streamTiming === undefined ? {} : { streamTiming: options.streamTiming }),
    ...(options.now === undefined ? {} : { now: options.now }),
  });
  fillSlot(Promise.resolve(server));
  const send = (handler: RouteHandler, request: RouteRequest = {}): Promise<Response> =>
    handler(toRequest(server, request), { params: Promise.resolve(request.params ?? {}) });
  return {
    ...{ server, host, folder, send },
    call: async (handler, request) => {
      const response = await send(handler, request);
      const text = await response.text();
      return { status: response.status, headers: response.headers, json: text === "" ? {} : JSON.parse(text) };
    },
    close: async () => {
      await server.close();
      fillSlot(undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function toRequest(server: Server, request: RouteRequest): Request {
  const { method = "GET", path = "/", body, peer = "127.0.0.1" } = request;
  const plain = plainBody(body);
  const isJson = body !== undefined && plain === null;
  const headers = new Headers({ host: "127.0.0.1:8787", ...(isJson ? { "content-type": "application/json" } : {}), ...request.headers });
  if (peer !== null) headers.set(server.peers.header, `1 ${peer}`);
  const init: RequestInit & { duplex: "half" } = { method, headers, duplex: "half", signal: request.signal ?? null };
  if (body !== undefined) init.body = plain ?? JSON.stringify(body);
  return new Request(`http://127.0.0.1:8787${path}`, init);
}

function plainBody(body: unknown): BodyInit | null {
  if (typeof body === "string" || body instanceof FormData || body instanceof ReadableStream) return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : null;
}
