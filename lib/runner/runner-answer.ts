/** What the runner answers: JSON, never cached or sniffed, with the request's id on it. */
import { randomUUID } from "node:crypto";
import type { ControlResult, Outcome } from "#protocol/control";
import { AppError } from "#protocol/errors";

const HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

export function jsonAnswer(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...HEADERS, "x-request-id": randomUUID(), ...headers } });
}

/** The body of contract 6. `retry_after_s` among the details is a header, not a key. */
export function refusalAnswer(error: AppError): Response {
  const { retry_after_s: retryAfter, ...details } = error.details;
  const headers: Readonly<Record<string, string>> = typeof retryAfter === "number" ? { "retry-after": String(Math.ceil(retryAfter)) } : {};
  return jsonAnswer({ error: { code: error.code, message: error.message, ...details } }, error.status, headers);
}

/** A control's answer under both sets of names (`ok` and `message` are for older clients). */
export function controlAnswer(result: ControlResult, more: Readonly<Record<string, unknown>> = {}): Response {
  const { accepted, status, event_id, safe_message } = result;
  return jsonAnswer({ accepted, ok: accepted, status, event_id, safe_message, message: safe_message, ...more });
}

/** The value, or its refusal as the exception that a route answers with. */
export function taken<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new AppError(outcome.error.code, outcome.error.message, outcome.error.details ?? {});
}
