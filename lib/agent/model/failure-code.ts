/**
 * Which of our closed codes a provider's failure is (contract section 6). Two ways in: an HTTP status
 * with the words of its body, and an error object inside an answer that began with 200. Words decide
 * only where the status leaves it open: a quota among the 429s, an overflow among the 400s and 500s.
 */
import type { ModelFailureCode } from "#protocol/errors";
import type { ProviderError } from "./provider-error";

const OVERFLOW = anyOf([
  "context[_ -]?(?:length|window|size)",
  "maximum context",
  "prompt (?:is )?too long",
  "input (?:is )?too (?:long|large)",
  "too many (?:input )?tokens",
  "input token count",
  "reduce the length",
  "exceeds? the (?:model's )?(?:maximum|token limit)",
]);
const QUOTA = anyOf([
  "insufficient[_ ](?:quota|balance|credit|fund)",
  "exceeded your current quota",
  "quota_exceeded",
  "billing",
  "credit balance",
  "out of credits?",
  "payment required",
  "spend(?:ing)? limit",
]);
const AUTH = anyOf(["invalid[_ ]api[_ ]key", "api[_ ]key[_ ]invalid", "api key not valid", "incorrect api key", "authentication", "unauthori[sz]ed", "permission_(?:denied|error)"]);
const RATE = anyOf(["rate[_ -]?limit", "resource_exhausted", "too many requests", "throttl"]);
const MODEL = anyOf([
  "model_not_found",
  "not_found_error",
  "model .{0,120}(?:not found|does not exist|not exist|not supported)",
  "not a valid model",
  "(?:unknown|invalid) model",
]);
const FILTER = /content[_ ]?(?:filter|policy)|safety|moderation|prohibited_content/i;
const TIMEOUT = /time[_ ]?d?[_ ]?out/i;
const BAD = /invalid_request|invalid_argument|bad_request|unprocessable|validation/i;
const OVERLOADED = /overloaded|server_error|unavailable|internal|capacity|busy/i;

/** The code of an answer with this HTTP status; `error` is what its body said. */
export function codeOfStatus(status: number, error: ProviderError): ModelFailureCode {
  const words = `${error.kinds} ${error.message}`;
  if (status === 401 || status === 403) return "provider_auth";
  if (status === 402) return "provider_quota";
  if (status === 404) return "model_not_found";
  if (status === 408) return "provider_timeout";
  if (status === 413) return "context_overflow";
  if (status === 429) return isQuota(error, words) ? "provider_quota" : "provider_rate_limited";
  if (status >= 500) return OVERFLOW.test(words) ? "context_overflow" : "provider_overloaded";
  if (status < 400) return "provider_bad_request";
  return codeOfRefusal(words);
}

/** The code of an error object inside a 200: one that names no kind is an overload. */
export function codeOfAnswerError(error: ProviderError): ModelFailureCode {
  if (error.status !== null && error.status >= 400 && error.status <= 599) return codeOfStatus(error.status, error);
  const words = `${error.kinds} ${error.message}`;
  if (RATE.test(error.kinds)) return isQuota(error, words) ? "provider_quota" : "provider_rate_limited";
  if (OVERFLOW.test(words)) return "context_overflow";
  if (QUOTA.test(words)) return "provider_quota";
  if (RATE.test(error.message)) return "provider_rate_limited";
  if (AUTH.test(error.kinds)) return "provider_auth";
  if (FILTER.test(error.kinds)) return "content_filtered";
  if (MODEL.test(error.kinds)) return "model_not_found";
  if (TIMEOUT.test(error.kinds)) return "provider_timeout";
  if (OVERLOADED.test(error.kinds)) return "provider_overloaded";
  return BAD.test(error.kinds) ? "provider_bad_request" : "provider_overloaded";
}

/** A 400 or 422 that says why, and any other refusal. */
function codeOfRefusal(words: string): ModelFailureCode {
  if (OVERFLOW.test(words)) return "context_overflow";
  if (QUOTA.test(words)) return "provider_quota";
  if (AUTH.test(words)) return "provider_auth";
  if (MODEL.test(words)) return "model_not_found";
  return /content_filter|content_policy|content management policy/i.test(words) ? "content_filtered" : "provider_bad_request";
}

/** A wait that the provider names means that the limit passes by itself, whatever it is called. */
function isQuota(error: ProviderError, words: string): boolean {
  if (/insufficient_quota/i.test(error.kinds)) return true;
  return QUOTA.test(words) && error.retry_after_s === null;
}

function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join("|"), "i");
}
