/**
 * The wire to the runner, by Node's own client: it follows no redirect, and an agent of our own asks
 * no proxy of the environment, so that the key reaches the configured origin or nobody. Every call is
 * bounded in time as a whole and in the size of its answer. Connections are not kept: a pooled one may
 * be closed at the very moment of a control, which must not be sent twice.
 */
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { AppError } from "#protocol/errors";
import { systemErrorCode } from "#config/system-error";

export interface RunnerHttpCall {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Begins with a slash; made by us, with encoded parts. */
  readonly path: string;
  readonly body?: unknown;
  readonly timeout_ms: number;
  readonly limit_bytes: number;
}

export type RunnerHttpReply =
  | { readonly kind: "answered"; readonly status: number; readonly text: string }
  | { readonly kind: "unanswered"; readonly why: "unreachable" | "timeout" | "cut" | "too_large" };

export interface RunnerHttp {
  call(call: RunnerHttpCall): Promise<RunnerHttpReply>;
  /** A request whose answer is read as it comes. Rejects where there is no answer. */
  open(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal, silenceMs: number): Promise<IncomingMessage>;
}

const UNREACHABLE: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN", "EADDRNOTAVAIL"]);

/** Throws for an address that is not plain http or https without credentials. */
export function createRunnerHttp(baseUrl: string, key: string): RunnerHttp {
  const base = new URL(baseUrl);
  if ((base.protocol !== "http:" && base.protocol !== "https:") || base.username !== "" || base.password !== "") {
    throw new AppError("invalid_request", "The runner's address must be an http or https URL without credentials.");
  }
  const secure = base.protocol === "https:";
  const agent = secure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
  const prefix = base.pathname.replace(/\/+$/, "");
  const send = (path: string, options: RequestOptions): ClientRequest => {
    const url = new URL(`${base.origin}${prefix}${path}`);
    const headers = { ...options.headers, ...(key === "" ? {} : { authorization: `Bearer ${key}` }) };
    return (secure ? httpsRequest : httpRequest)(url, { ...options, headers, agent });
  };
  return {
    call: (call) => callOnce(send, call),
    open: (path, headers, signal, silenceMs) => openStream(send(path, { method: "GET", headers, signal }), silenceMs),
  };
}

function callOnce(send: (path: string, options: RequestOptions) => ClientRequest, call: RunnerHttpCall): Promise<RunnerHttpReply> {
  const body = call.body === undefined ? null : Buffer.from(JSON.stringify(call.body));
  const headers: Record<string, string> = { accept: "application/json" };
  if (body !== null) Object.assign(headers, { "content-type": "application/json", "content-length": String(body.byteLength) });
  return new Promise((resolve) => {
    const request = send(call.path, { method: call.method, headers });
    const finish = (reply: RunnerHttpReply): void => {
      clearTimeout(timer);
      resolve(reply);
      request.destroy();
    };
    const timer = setTimeout(() => finish({ kind: "unanswered", why: "timeout" }), call.timeout_ms);
    request.on("error", (error) => finish({ kind: "unanswered", why: UNREACHABLE.has(systemErrorCode(error) ?? "") ? "unreachable" : "cut" }));
    request.on("response", (response) => collect(response, call.limit_bytes, finish));
    request.end(body ?? undefined);
  });
}

function collect(response: IncomingMessage, limit: number, finish: (reply: RunnerHttpReply) => void): void {
  const pieces: Buffer[] = [];
  let size = 0;
  response.on("data", (piece: Buffer) => {
    size += piece.byteLength;
    if (size > limit) finish({ kind: "unanswered", why: "too_large" });
    else pieces.push(piece);
  });
  response.on("error", () => finish({ kind: "unanswered", why: "cut" }));
  response.on("end", () => finish({ kind: "answered", status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString("utf8") }));
}

function openStream(request: ClientRequest, silenceMs: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on("error", reject);
    request.on("response", (response) => resolve(response));
    request.setTimeout(silenceMs, () => request.destroy(new Error("Nothing was heard for too long.")));
    request.end();
  });
}
