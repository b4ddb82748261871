/**
 * One request of the page: JSON out, JSON in, parsed by zod, bounded in time, a value at the end
 * whatever happens. The border to HTTP; nothing else in this room calls `fetch` but the event
 * stream and the upload with progress.
 */
import { z } from "zod";
import { codeOfStatus, isErrorCode, type ApiFailure, type ApiFailureCode, type ApiResult } from "./api-result";

export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface CallOptions {
  readonly body?: unknown;
  /** Sent as `Idempotency-Key`: the same key and body gives the same answer, however often it is sent. */
  readonly key?: string;
  readonly signal?: AbortSignal;
  /** Milliseconds until `timed_out`; 15,000 by default. */
  readonly timeout_ms?: number;
}

export interface HttpClient {
  /** `path` as the server knows it, without the base path. */
  call<T>(method: Method, path: string, answer: z.ZodType<T>, options?: CallOptions): Promise<ApiResult<T>>;
  /** The address of a path for links, images and downloads. */
  url(path: string): string;
}

export interface HttpClientOptions {
  /** Path prefix behind a proxy, without a slash at its end; empty for none. */
  readonly basePath: string;
  readonly fetch: Fetch;
}

const DEFAULT_TIMEOUT_MS = 15_000;

const errorBodySchema = z.object({ error: z.looseObject({ code: z.string(), message: z.string().optional() }) });

const WORDS: Readonly<Record<"unreachable" | "timed_out" | "aborted" | "bad_answer", string>> = {
  unreachable: "The server cannot be reached.",
  timed_out: "The server did not answer in time.",
  aborted: "This was given up.",
  bad_answer: "The server's answer was not understood.",
};

export function clientFailure(code: keyof typeof WORDS, status = 0): ApiFailure {
  return { ok: false, code, message: WORDS[code], status, details: {} };
}

/** The failure that an error answer tells, whatever its body is. */
function failureOf(status: number, body: unknown): ApiFailure {
  const parsed = errorBodySchema.safeParse(body);
  if (!parsed.success) {
    const code = codeOfStatus(status);
    return { ok: false, code, message: `The server refused this (${status}).`, status, details: {} };
  }
  const { code: text, message, ...details } = parsed.data.error;
  const code: ApiFailureCode = isErrorCode(text) ? text : codeOfStatus(status);
  return { ok: false, code, message: message ?? `The server refused this (${status}).`, status, details };
}

export function parseAnswer<T>(status: number, text: string, answer: z.ZodType<T>): ApiResult<T> {
  const body = parseJson(text);
  if (status < 200 || status > 299) return failureOf(status, body);
  const parsed = answer.safeParse(body);
  return parsed.success ? { ok: true, value: parsed.data } : clientFailure("bad_answer", status);
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // A body that is no JSON (a proxy's page) parses as nothing, and every schema refuses that.
    return undefined;
  }
}

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const url = (path: string) => `${options.basePath}${path}`;
  return {
    url,
    async call(method, path, answer, { body, key, signal, timeout_ms = DEFAULT_TIMEOUT_MS } = {}) {
      const timeout = AbortSignal.timeout(timeout_ms);
      const headers: Record<string, string> = { accept: "application/json" };
      if (body !== undefined) headers["content-type"] = "application/json";
      if (key !== undefined) headers["idempotency-key"] = key;
      const init: RequestInit = { method, headers, cache: "no-store", signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]) };
      if (body !== undefined) init.body = JSON.stringify(body);
      try {
        const response = await options.fetch(url(path), init);
        return parseAnswer(response.status, await response.text(), answer);
      } catch {
        // `fetch` rejects for three reasons, and which one it was can be told from the signals alone.
        if (signal?.aborted === true) return clientFailure("aborted");
        return clientFailure(timeout.aborted ? "timed_out" : "unreachable");
      }
    },
  };
}

/** A path with its query; null and undefined values are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | boolean | null | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) search.set(name, String(value));
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}
