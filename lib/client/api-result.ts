/**
 * What every request of the page answers: a value or a failure, never an exception. `code` is the
 * server's own (contract 6) or one of the few that only a client can know.
 */
import { HTTP_STATUS_BY_CODE, type ErrorCode } from "#protocol/errors";

export type ApiFailureCode =
  | ErrorCode
  /** Nothing answered: the server is down, or the network is. */
  | "unreachable"
  /** No answer within the time that this request may take. */
  | "timed_out"
  /** The caller gave it up. */
  | "aborted"
  /** An answer that is not of the agreed shape. */
  | "bad_answer";

export interface ApiFailure {
  readonly ok: false;
  readonly code: ApiFailureCode;
  /** Safe to show. */
  readonly message: string;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** Extra keys of the answer's error: `issues`, `active_stream_id`, `retryable`, … */
  readonly details: Readonly<Record<string, unknown>>;
}

export type ApiResult<T> = { readonly ok: true; readonly value: T } | ApiFailure;

const CODE_BY_STATUS: ReadonlyMap<number, ErrorCode> = new Map([
  [400, "invalid_request"],
  [401, "unauthorized"],
  [404, "not_found"],
  [409, "conflict"],
  [413, "too_large"],
  [415, "unsupported_media_type"],
  [429, "rate_limited"],
  [503, "runner_unavailable"],
]);

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(HTTP_STATUS_BY_CODE, text);
}

/** The code for an answer whose body names none (a proxy's own page). */
export function codeOfStatus(status: number): ApiFailureCode {
  return CODE_BY_STATUS.get(status) ?? (status >= 500 ? "internal" : "bad_answer");
}

/** True where sending the same again may help: the server or the network was away, or busy. */
export function isPassing(failure: ApiFailure): boolean {
  return failure.code === "unreachable" || failure.code === "timed_out" || failure.status >= 500 || failure.status === 429;
}
