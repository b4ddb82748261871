/**
 * The one way to a provider: a `fetch` over node's own HTTP client, so that
 * - no redirect is followed (an answer 3xx is handed back; a key never reaches another host),
 * - no ambient proxy is used, whatever the environment says (each request has an agent of its own),
 * - every wait has a bound: connecting, the first byte, silence in mid-answer,
 * - an abort or a cancelled body destroys the socket at once,
 * - bytes that arrived before a reset are still delivered before the error.
 * Failures are `TransportError`s. Compression is not asked for: it would delay tokens.
 */
import * as http from "node:http";
import * as https from "node:https";
import { TransportError, type TransportErrorKind } from "./transport-error";

export interface TransportLimits {
  readonly connect_timeout_ms: number;
  readonly first_byte_timeout_ms: number;
  readonly idle_timeout_ms: number;
}

export const DEFAULT_TRANSPORT_LIMITS: TransportLimits = {
  connect_timeout_ms: 20_000,
  first_byte_timeout_ms: 120_000,
  idle_timeout_ms: 300_000,
};

/** The reader is paused above this, so that a slow consumer never fills the memory. */
const READ_AHEAD_BYTES = 1_048_576;
const BODYLESS_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/** A `fetch` with the guarantees above; one may serve any number of requests at once. */
export function createProviderFetch(limits: TransportLimits): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
    return new Exchange(limits, init?.signal ?? request.signal).send(request, body);
  };
}

/** One request and its answer, from the first try to connect to the last byte. */
class Exchange {
  readonly #limits: TransportLimits;
  readonly #signal: AbortSignal;
  readonly #chunks: Uint8Array[] = [];
  #queued = 0;
  #ended = false;
  #anyByte = false;
  #failure: TransportError | null = null;
  #wake: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #outgoing: http.ClientRequest | null = null;
  #incoming: http.IncomingMessage | null = null;

  constructor(limits: TransportLimits, signal: AbortSignal) {
    this.#limits = limits;
    this.#signal = signal;
  }

  send(request: Request, body: Buffer | null): Promise<Response> {
    return new Promise((resolve, reject) => {
      if (this.#signal.aborted) {
        reject(new TransportError("aborted", "The request was stopped."));
        return;
      }
      this.#wake = () => this.#failure !== null && reject(this.#failure);
      this.#signal.addEventListener("abort", this.#abort, { once: true });
      this.#arm(this.#limits.connect_timeout_ms, "unreachable", "No connection in time.");
      const outgoing = this.#open(request, body);
      outgoing.on("response", (incoming) => {
        const status = incoming.statusCode ?? 0;
        if (status >= 200 && status <= 599) resolve(this.#receive(incoming, status));
        else this.#fail("unreachable", `The provider answered with the unknown status ${status}.`);
      });
      outgoing.end(body ?? undefined);
    });
  }

  #open(request: Request, body: Buffer | null): http.ClientRequest {
    const url = new URL(request.url);
    const secure = url.protocol === "https:";
    const client = secure ? https : http;
    const headers: Record<string, string> = { ...Object.fromEntries(request.headers), "accept-encoding": "identity" };
    if (body !== null) headers["content-length"] = String(body.byteLength);
    const outgoing = client.request(url, { method: request.method, headers, agent: new client.Agent({ keepAlive: false }) });
    this.#outgoing = outgoing;
    const awaitFirstByte = (): void =>
      this.#arm(this.#limits.first_byte_timeout_ms, "first_byte_timeout", "No byte of an answer in time.");
    outgoing.on("socket", (socket) => socket.once(secure ? "secureConnect" : "connect", awaitFirstByte));
    outgoing.on("error", (error) => this.#fail(this.#anyByte ? "cut" : "unreachable", error.message, error));
    return outgoing;
  }

  #receive(incoming: http.IncomingMessage, status: number): Response {
    this.#incoming = incoming;
    this.#wake = () => undefined;
    incoming.on("data", (chunk: Buffer) => this.#accept(chunk));
    incoming.on("end", () => {
      this.#ended = true;
      this.#settle();
    });
    incoming.on("error", (error) => this.#fail(this.#anyByte ? "cut" : "unreachable", error.message, error));
    incoming.on("close", () => {
      if (!this.#ended) this.#fail(this.#anyByte ? "cut" : "unreachable", "The connection was closed in mid-answer.");
    });
    const body = BODYLESS_STATUSES.has(status) ? null : this.#body();
    return new Response(body, { status, headers: readHeaders(incoming.rawHeaders) });
  }

  #accept(chunk: Buffer): void {
    this.#anyByte = true;
    clearTimeout(this.#timer);
    this.#chunks.push(chunk);
    this.#queued += chunk.byteLength;
    if (this.#queued > READ_AHEAD_BYTES) this.#incoming?.pause();
    this.#wake();
  }

  /** Pulled one chunk at a time; an error is told only after the chunks that came before it. */
  #body(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          if (this.#chunks.length === 0 && !this.#ended && this.#failure === null) await this.#more();
          const chunk = this.#chunks.shift();
          if (chunk !== undefined) {
            this.#queued -= chunk.byteLength;
            if (this.#queued <= READ_AHEAD_BYTES) this.#incoming?.resume();
            controller.enqueue(chunk);
          } else if (this.#ended) controller.close();
          else if (this.#failure !== null) controller.error(this.#failure);
        },
        cancel: () => this.#fail("aborted", "The answer was not read to its end."),
      },
      { highWaterMark: 0 },
    );
  }

  #more(): Promise<void> {
    if (this.#anyByte) this.#arm(this.#limits.idle_timeout_ms, "idle_timeout", "The provider fell silent in mid-answer.");
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = () => undefined;
        resolve();
      };
    });
  }

  readonly #abort = (): void => {
    this.#chunks.length = 0;
    this.#fail("aborted", "The request was stopped.");
  };

  #fail(kind: TransportErrorKind, message: string, cause?: unknown): void {
    if (this.#ended || this.#failure !== null) return;
    this.#failure = new TransportError(kind, message, cause);
    this.#outgoing?.destroy();
    this.#settle();
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#abort);
    this.#wake();
  }

  #arm(ms: number, kind: TransportErrorKind, message: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fail(kind, message), ms);
  }
}

/** The answer's headers, without those that `Headers` would refuse. */
function readHeaders(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? "";
    const value = raw[at + 1] ?? "";
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value)) headers.append(name, value);
  }
  return headers;
}
