/**
 * A real OpenAI-compatible model server on loopback for tests and the bench: it plays scripted turns
 * to the byte (delays, cuts, resets, held sockets), keeps every request, and in strict mode refuses
 * with 400 whatever a strict provider would refuse (`strict-messages`).
 *
 *   const server = await startModelServer();
 *   server.script((request, number) => number === 1 ? callReply([{ name: "read_file", arguments: { path: "a" } }]) : textReply("ok"));
 *   … use server.url as base URL (it ends in /v1) …
 *   expect(server.chats[0]?.body).toMatchObject({ model: "m" });
 *   await server.close();
 *
 * `number` counts model requests (every POST, so that other providers' ways can be played too) from 1;
 * a script may be a list, whose last turn repeats. Turns are made by the functions of `model-replies`.
 * GET /v1/models and GET /api/tags list `models`. Every request is kept in `requests`, model requests
 * also in `chats`.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { z } from "zod";
import { errorReply, textReply, type Reply, type ReplyStep } from "./model-replies";
import { findStrictFault } from "./strict-messages";

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or the text when it is none. */
  readonly body: unknown;
  /** When it had arrived, in milliseconds of `performance.now()`. */
  readonly at: number;
  /** Resolves with `client` when the client closed before the reply was over, else with `server`, at that moment. */
  readonly closed: Promise<"client" | "server">;
}

export type Script = (request: RecordedRequest, number: number) => Reply | Promise<Reply>;

export interface ModelServerOptions {
  /** Checks each POST to `…/chat/completions` as a strict provider does. Default true. */
  readonly strict?: boolean;
  /** What the lists name. Default `["test-model"]`. */
  readonly models?: readonly string[];
  /** Default 0: any free port. */
  readonly port?: number;
}

export interface ModelServer {
  /** Base URL, ending in `/v1`. */
  readonly url: string;
  readonly origin: string;
  readonly requests: readonly RecordedRequest[];
  readonly chats: readonly RecordedRequest[];
  /** Sets what model requests answer from now on; counting goes on. Default: `textReply("ok")`. */
  readonly script: (script: Script | readonly Reply[]) => void;
  /** Closes all connections at once. */
  readonly close: () => Promise<void>;
}

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const state = new ServerState(options);
  const server = createServer((incoming, outgoing) => void state.serve(incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const origin = `http://127.0.0.1:${addressSchema.parse(server.address()).port}`;
  return {
    url: `${origin}/v1`,
    origin,
    requests: state.requests,
    chats: state.chats,
    script: (script) => state.setScript(script),
    close: () => closeServer(server),
  };
}

const addressSchema = z.object({ port: z.number() });

class ServerState {
  readonly requests: RecordedRequest[] = [];
  readonly chats: RecordedRequest[] = [];
  readonly #strict: boolean;
  readonly #models: readonly string[];
  #script: Script = () => textReply("ok");

  constructor(options: ModelServerOptions) {
    this.#strict = options.strict ?? true;
    this.#models = options.models ?? ["test-model"];
  }

  setScript(script: Script | readonly Reply[]): void {
    if (typeof script === "function") {
      this.#script = script;
      return;
    }
    const before = this.chats.length;
    this.#script = (_, number) => script[Math.min(number - before, script.length) - 1] ?? textReply("ok");
  }

  async serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    outgoing.socket?.setNoDelay(true);
    const request = await record(incoming, outgoing);
    this.requests.push(request);
    const path = request.path.split("?", 1)[0] ?? "";
    if (request.method === "GET" && path.endsWith("/models")) return send(outgoing, { data: this.#models.map((id) => ({ id, object: "model" })) });
    if (request.method === "GET" && path === "/api/tags") return send(outgoing, { models: this.#models.map((name) => ({ name })) });
    if (request.method !== "POST") return send(outgoing, { error: { message: `nothing at ${path}` } }, 404);
    this.chats.push(request);
    const number = this.chats.length;
    const fault = this.#strict && path.endsWith("/chat/completions") ? findStrictFault(request.body) : null;
    const reply = fault === null ? await this.#script(request, number) : errorReply(400, { message: fault, type: "invalid_request_error" });
    await play(reply, outgoing);
  }
}

async function record(incoming: IncomingMessage, outgoing: ServerResponse): Promise<RecordedRequest> {
  const closed = new Promise<"client" | "server">((resolve) => {
    outgoing.once("close", () => resolve(outgoing.writableFinished ? "server" : "client"));
  });
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString("utf8");
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]);
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    headers: Object.fromEntries(headers),
    body: parseBody(text),
    at: performance.now(),
    closed,
  };
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function send(outgoing: ServerResponse, value: unknown, status = 200): void {
  outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

async function play(reply: Reply, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  if (reply.status !== null) {
    outgoing.writeHead(reply.status, { "content-type": "text/event-stream", ...reply.headers });
    outgoing.flushHeaders();
  }
  for (const step of reply.steps) {
    if (gone.signal.aborted) return;
    await playStep(step, outgoing, gone.signal);
  }
  if (!gone.signal.aborted) outgoing.end();
}

async function playStep(step: ReplyStep, outgoing: ServerResponse, gone: AbortSignal): Promise<void> {
  switch (step.kind) {
    case "bytes":
      return unlessGone(new Promise((resolve) => outgoing.write(step.bytes, resolve)), gone);
    case "pause":
      return unlessGone(new Promise((resolve) => setTimeout(resolve, step.ms)), gone);
    case "until":
      return unlessGone(step.promise, gone);
    case "hold":
      return unlessGone(new Promise(() => undefined), gone);
    case "cut":
      outgoing.destroy();
      return;
    case "reset":
      outgoing.socket?.resetAndDestroy();
  }
}

function unlessGone(wait: Promise<unknown>, gone: AbortSignal): Promise<void> {
  if (gone.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const goOn = (): void => {
      gone.removeEventListener("abort", goOn);
      resolve();
    };
    gone.addEventListener("abort", goOn);
    wait.then(goOn, goOn);
  });
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
