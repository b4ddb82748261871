/**
 * A provider's own words made fit to be shown: no key, no `Authorization` value, no URL with
 * credentials, no markup, bounded. Providers echo keys in bodies, URLs and headers, so every message
 * and diagnostic of a failure goes through here; the journal redacts once more, with more values.
 */
const REDACTED = "[redacted]";
const SHORTEST_SECRET = 4;

/** Shapes that are secrets whoever they belong to. */
const SECRET_SHAPES = [
  /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi,
  /\b(?:sk|pk|rk|gsk|xai|hf|nvapi|pplx)[-_][A-Za-z0-9_*-]{6,}/g,
  /\bAIza[\w-]{20,}/g,
  /\bgh[pousr]_\w{16,}/g,
  /\bAKIA[A-Z0-9]{12,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
];

/** `text` without the given secrets (plain, base64 or percent-encoded), secret shapes and URL credentials, at most `limit` characters. */
export function safeText(text: string, secrets: readonly string[], limit = 500): string {
  let safe = text;
  for (const secret of secrets) {
    if (secret.length < SHORTEST_SECRET) continue;
    for (const form of formsOf(secret)) safe = safe.replaceAll(form, REDACTED);
  }
  safe = safe
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"'<>]+@/gi, "$1")
    .replace(/([?&][\w-]*(?:key|token|secret|password|signature)[\w-]*=)[^&\s"'<>]+/gi, `$1${REDACTED}`);
  for (const shape of SECRET_SHAPES) safe = safe.replace(shape, REDACTED);
  safe = safe.replace(/\p{Cc}+/gu, " ").trim();
  return safe.length > limit ? `${safe.slice(0, limit)}…` : safe;
}

function formsOf(secret: string): readonly string[] {
  const base64 = Buffer.from(secret, "utf8").toString("base64");
  const base64url = Buffer.from(secret, "utf8").toString("base64url");
  return [...new Set([secret, encodeURIComponent(secret), base64, base64.replace(/=+$/, ""), base64url])];
}
