/**
 * The one maker of `failure` parts: sentence, provider's words (made safe), diagnostics (made safe),
 * and whether sending the same request again may help. What is sent again, and when, is decided in
 * `with-retry`; here only the kind is judged (contract section 6).
 */
import type { ModelFailureCode } from "#protocol/errors";
import { codeOfAnswerError, codeOfStatus } from "./failure-code";
import type { ModelPart } from "./model-port";
import { readErrorBody, type ProviderError } from "./provider-error";
import { readRetryAfter } from "./retry-after";
import { safeText } from "./safe-text";
import type { TransportError, TransportErrorKind } from "./transport-error";

export type FailurePart = Extract<ModelPart, { readonly type: "failure" }>;

/** A provider that asks for more is not waited for. */
export const LONGEST_RETRY_WAIT_S = 10;

interface FailureKind {
  readonly sentence: string;
  readonly retryable: boolean;
}

const KINDS: Record<ModelFailureCode, FailureKind> = {
  provider_auth: { sentence: "The provider refused the key.", retryable: false },
  provider_rate_limited: { sentence: "The provider's rate limit is reached.", retryable: true },
  provider_overloaded: { sentence: "The provider is overloaded or has an error of its own.", retryable: true },
  provider_quota: { sentence: "The provider's quota or credit is used up.", retryable: false },
  provider_bad_request: { sentence: "The provider refused the request.", retryable: false },
  model_not_found: { sentence: "The provider does not know this model or address.", retryable: false },
  context_overflow: { sentence: "The conversation is longer than the model can take.", retryable: false },
  provider_unreachable: { sentence: "The provider cannot be reached.", retryable: true },
  provider_timeout: { sentence: "The provider did not answer in time.", retryable: true },
  provider_incomplete: { sentence: "The answer was cut off before its end.", retryable: false },
  provider_malformed: { sentence: "The provider's answer makes no sense.", retryable: false },
  provider_empty: { sentence: "The provider sent an empty answer.", retryable: true },
  content_filtered: { sentence: "The provider's content filter stopped the answer.", retryable: false },
};

export interface FailureFacts {
  readonly code: ModelFailureCode;
  /** Raw words to add to the sentence of the code. */
  readonly words?: string;
  readonly diagnostics?: Readonly<Record<string, string | number | null>>;
  readonly retry_after_s?: number | null;
  /** False forbids what the code would allow. */
  readonly retryable?: boolean;
  readonly aborted?: boolean;
}

/** A `failure` part; `secrets` are the values that must not be in it. */
export function providerFailure(facts: FailureFacts, secrets: readonly string[]): FailurePart {
  const kind = KINDS[facts.code];
  const words = safeText(facts.words ?? "", secrets);
  const retryAfter = facts.retry_after_s ?? null;
  const diagnostics = Object.entries(facts.diagnostics ?? {}).map(([name, value]) => [
    name,
    typeof value === "string" ? safeText(value, secrets, 1_000) : value,
  ]);
  return {
    type: "failure",
    code: facts.code,
    message: words === "" ? kind.sentence : `${kind.sentence} ${words}`,
    diagnostics: Object.fromEntries(diagnostics),
    retryable: (facts.retryable ?? true) && kind.retryable && (retryAfter === null || retryAfter <= LONGEST_RETRY_WAIT_S),
    aborted: facts.aborted ?? false,
    retry_after_s: retryAfter,
  };
}

/** The end of a stream that the caller stopped. */
export function abortedFailure(): FailurePart {
  return { ...providerFailure({ code: "provider_incomplete", aborted: true }, []), message: "The request was stopped." };
}

/** The failure of an answer with a status that is not 2xx. `now_ms` is Unix milliseconds. */
export function failureOfHttp(status: number, headers: Headers, body: string, secrets: readonly string[], now_ms: number): FailurePart {
  const named = readErrorBody(body);
  const error: ProviderError = { ...named, retry_after_s: readRetryAfter(headers, now_ms) ?? named.retry_after_s };
  const code = codeOfStatus(status, error);
  const redirected = status >= 300 && status < 400;
  return providerFailure(
    {
      code,
      words: redirected ? "It answered with a redirect, which is never followed; check the base URL." : error.message,
      retry_after_s: error.retry_after_s,
      diagnostics: {
        http_status: status,
        provider_kind: error.kinds,
        request_id: headers.get("x-request-id") ?? headers.get("request-id"),
        body: body.slice(0, 2_000),
      },
    },
    secrets,
  );
}

/** The failure of an error object inside an answer that began well. */
export function failureOfAnswerError(error: ProviderError, secrets: readonly string[]): FailurePart {
  const facts = { words: error.message, retry_after_s: error.retry_after_s, diagnostics: { provider_kind: error.kinds, provider_status: error.status } };
  return providerFailure({ code: codeOfAnswerError(error), ...facts }, secrets);
}

const TRANSPORT_CODES: Record<Exclude<TransportErrorKind, "aborted">, ModelFailureCode> = {
  unreachable: "provider_unreachable",
  first_byte_timeout: "provider_timeout",
  idle_timeout: "provider_timeout",
  cut: "provider_incomplete",
};

/** The failure of a connection. Silence in mid-answer is not tried again: the bound before the first byte is past. */
export function failureOfTransport(error: TransportError, secrets: readonly string[]): FailurePart {
  if (error.kind === "aborted") return abortedFailure();
  return providerFailure(
    {
      code: TRANSPORT_CODES[error.kind],
      words: error.message,
      retryable: error.kind !== "idle_timeout",
      diagnostics: { transport: error.kind },
    },
    secrets,
  );
}
