/**
 * What a provider says when it fails, whatever shape it uses: `{error:{message,code,type}}`,
 * `{error:"…"}`, `[{error}]`, `{message}`, `{detail}`, plain text, a web page. Read here once,
 * classified in `failure-code`, cleaned in `safe-text`.
 */
import { z } from "zod";

export interface ProviderError {
  /** The provider's words, raw: not yet safe to show. Empty when it gave none. */
  readonly message: string;
  /** Its own names for the kind (code, type, status, reason), joined by spaces. */
  readonly kinds: string;
  /** An HTTP status named inside the error object, else null. */
  readonly status: number | null;
  /** Seconds to wait, when the body names them (Google's RetryInfo), else null. */
  readonly retry_after_s: number | null;
}

export const NO_PROVIDER_ERROR: ProviderError = { message: "", kinds: "", status: null, retry_after_s: null };

const label = z.union([z.string(), z.number()]).nullish().catch(null);
const detailSchema = z
  .looseObject({ retryDelay: z.string().nullish().catch(null), reason: label, msg: z.string().nullish().catch(null) })
  .catch({});
const errorObjectSchema = z.looseObject({
  message: z.string().nullish().catch(null),
  msg: z.string().nullish().catch(null),
  detail: z.union([z.string(), z.array(detailSchema)]).nullish().catch(null),
  code: label,
  type: label,
  status: label,
  param: label,
  details: z.array(detailSchema).nullish().catch(null),
  metadata: z.looseObject({ raw: z.string().nullish().catch(null) }).nullish().catch(null),
});
const wrapperSchema = z.looseObject({ error: z.union([z.string(), errorObjectSchema]).nullish().catch(null) });

/** The error in a parsed JSON value; `value` may be the error itself or wrap it under `error`. */
export function readProviderError(value: unknown): ProviderError {
  if (typeof value === "string") return { ...NO_PROVIDER_ERROR, message: value };
  const first = Array.isArray(value) ? value[0] : value;
  const wrapper = wrapperSchema.safeParse(first);
  if (!wrapper.success) return NO_PROVIDER_ERROR;
  if (typeof wrapper.data.error === "string") {
    const outer = errorObjectSchema.parse(wrapper.data);
    return { ...describe(outer), message: [wrapper.data.error, outer.message].filter(Boolean).join(": ") };
  }
  return describe(wrapper.data.error ?? errorObjectSchema.parse(wrapper.data));
}

/** The error in the text of an HTTP body; a web page has nothing to say. */
export function readErrorBody(text: string): ProviderError {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.startsWith("<")) return NO_PROVIDER_ERROR;
  const parsed = parseJson(trimmed);
  return parsed === undefined ? { ...NO_PROVIDER_ERROR, message: trimmed } : readProviderError(parsed);
}

/** The value of a JSON text, or undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function describe(error: z.infer<typeof errorObjectSchema>): ProviderError {
  const details = error.details ?? [];
  const listed = Array.isArray(error.detail) ? error.detail.map((entry) => entry.msg ?? "").join("; ") : error.detail;
  const upstream = error.metadata?.raw ?? "";
  const message = error.message ?? error.msg ?? listed ?? "";
  const reasons = details.map((entry) => entry.reason);
  const delay = details.map((entry) => /^(\d+(?:\.\d+)?)s$/.exec(entry.retryDelay ?? "")?.[1]).find((text) => text !== undefined);
  const numbers = [error.code, error.status].map(Number).filter((number) => number >= 400 && number <= 599);
  return {
    message: upstream !== "" && upstream !== message ? `${message} ${upstream}`.trim() : message,
    kinds: [error.code, error.type, error.status, ...reasons].filter((kind) => typeof kind === "string").join(" "),
    status: numbers[0] ?? null,
    retry_after_s: delay === undefined ? null : Number(delay),
  };
}
