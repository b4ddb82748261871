/**
 * What a route answers: JSON with a status, or a ready `Response` (streams, files). Every answer, also
 * a refusal and a stream, leaves through `finishAnswer`: nothing is cached, sniffed, framed or run, no
 * CORS header is ever there, and the request's id is on it.
 */
import type { AppError } from "#protocol/errors";

export interface JsonAnswer {
  readonly status: number;
  readonly json: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
export type Answer = JsonAnswer | Response;

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

export function ok(json: unknown): JsonAnswer {
  return { status: 200, json };
}

export function created(json: unknown): JsonAnswer {
  return { status: 201, json };
}

/** The body of section 6. `retry_after_s` among the details is a header, not a key. */
export function errorAnswer(error: AppError): JsonAnswer {
  const { retry_after_s: retryAfter, ...details } = error.details;
  return {
    status: error.status,
    json: { error: { code: error.code, message: error.message, ...details } },
    ...(typeof retryAfter === "number" ? { headers: { "retry-after": String(Math.ceil(retryAfter)) } } : {}),
  };
}

/** The response that leaves; headers that the route itself set win over the house's. */
export function finishAnswer(answer: Answer, requestId: string): Response {
  const response =
    answer instanceof Response
      ? answer
      : new Response(JSON.stringify(answer.json), {
          status: answer.status,
          headers: { "content-type": "application/json; charset=utf-8", ...answer.headers },
        });
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  response.headers.set("x-request-id", requestId);
  return response;
}
