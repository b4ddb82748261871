/** A `Date` header's month and day names make it start with a letter; seconds start with a digit. */
const SECONDS = /^\d+(?:\.\d+)?$/;

/**
 * Seconds that a provider asks to wait, else null. Reads `retry-after-ms`, then `retry-after` as
 * seconds or as an HTTP date relative to `now_ms` (Unix milliseconds).
 */
export function readRetryAfter(headers: Headers, now_ms: number): number | null {
  const milliseconds = headers.get("retry-after-ms")?.trim();
  if (milliseconds !== undefined && SECONDS.test(milliseconds)) return Number(milliseconds) / 1000;
  const value = headers.get("retry-after")?.trim();
  if (value === undefined || value === "") return null;
  if (SECONDS.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, (date - now_ms) / 1000);
}
