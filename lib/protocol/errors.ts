/**
 * The closed lists of error codes (contract section 6) and the one exception that carries them.
 * What can be expected is a value; `AppError` is for the four places that translate a failure into
 * an answer. `message` is always safe to show; `cause` only ever goes to the log.
 */
export const HTTP_STATUS_BY_CODE = {
  invalid_request: 400,
  invalid_json: 400,
  unauthorized: 401,
  host_not_allowed: 403,
  remote_not_allowed: 403,
  origin_not_allowed: 403,
  outside_workspace: 403,
  not_found: 404,
  session_not_found: 404,
  stream_not_found: 404,
  run_not_found: 404,
  profile_not_found: 404,
  run_active: 409,
  not_active: 409,
  no_goal: 409,
  idempotency_conflict: 409,
  changed_on_disk: 409,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  runner_not_configured: 501,
  runner_unavailable: 503,
  too_many_streams: 503,
  draining: 503,
  internal: 500,
} as const;
export type ErrorCode = keyof typeof HTTP_STATUS_BY_CODE;

/** How a run can fail: the code of the `error` event that ends it. */
export const RUN_FAILURE_CODES = [
  "provider_auth",
  "provider_rate_limited",
  "provider_overloaded",
  "provider_quota",
  "provider_bad_request",
  "model_not_found",
  "context_overflow",
  "provider_unreachable",
  "provider_timeout",
  "provider_incomplete",
  "provider_malformed",
  "provider_empty",
  "content_filtered",
  "runtime_interrupted",
  "internal",
] as const;
export type RunFailureCode = (typeof RUN_FAILURE_CODES)[number];
/** The failures a model request itself can have. */
export type ModelFailureCode = Exclude<RunFailureCode, "runtime_interrupted" | "internal">;

export interface ValidationIssue {
  readonly path: string;
  readonly message: string;
}

export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  /** Extra keys of the answer's `error` object: `issues`, `active_stream_id`, `retryable`. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return HTTP_STATUS_BY_CODE[this.code];
  }
}
