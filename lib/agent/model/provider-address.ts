/** A base URL as it is used, or the reason why it cannot be. */
export type ProviderAddress = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly reason: string };

/**
 * A base URL without its last slashes or a pasted `/chat/completions`. http and https only. No
 * credentials in it: they would end up in messages and logs; a key belongs into its own setting.
 */
export function readBaseUrl(written: string): ProviderAddress {
  const trimmed = written.trim();
  if (!URL.canParse(trimmed)) return { ok: false, reason: "The base URL is no URL." };
  const url = new URL(trimmed);
  if (url.protocol !== "http:" && url.protocol !== "https:") return { ok: false, reason: "The base URL must begin with http:// or https://." };
  if (url.username !== "" || url.password !== "") return { ok: false, reason: "The base URL must not hold a user name or password." };
  const path = url.pathname.replace(/\/+$/, "").replace(/\/chat\/completions$/, "");
  return { ok: true, url: `${url.origin}${path}` };
}

/**
 * The address of a local server as its own tools write it (`host`, `host:port`, a URL, `0.0.0.0` for
 * "everywhere"), as base URL of its OpenAI-compatible API.
 */
export function readLocalHost(written: string, port: number): ProviderAddress {
  const trimmed = written.trim();
  const withScheme = /^[a-z]+:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  const address = readBaseUrl(withScheme);
  if (!address.ok) return address;
  const url = new URL(address.url);
  if (url.port === "" && !/:\d+(?:\/|$)/.test(withScheme.slice(withScheme.indexOf("://") + 3)) && url.protocol === "http:") url.port = String(port);
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
  const path = url.pathname.replace(/\/+$/, "");
  return { ok: true, url: `${url.origin}${path.endsWith("/v1") ? path : `${path}/v1`}` };
}
