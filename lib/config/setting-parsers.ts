/**
 * How the text of one environment variable becomes a value: pure functions that answer null for
 * whatever is not allowed. They are strict on purpose (`8787x`, `1e3` and `0x10` are no ports), so
 * that a typing error stops the start instead of meaning something else.
 */
import { isIP } from "node:net";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export type ParseSetting<Value> = (text: string) => Value | null;

/** A whole number between both bounds, written with digits only. */
export function wholeNumber(lowest: number, highest: number): ParseSetting<number> {
  return (text) => {
    if (!/^\d{1,10}$/.test(text)) return null;
    const value = Number(text);
    return value >= lowest && value <= highest ? value : null;
  };
}

/** Seconds, a fraction allowed, between both bounds. */
export function seconds(lowest: number, highest: number): ParseSetting<number> {
  return (text) => {
    if (!/^\d{1,10}(\.\d{1,6})?$/.test(text)) return null;
    const value = Number(text);
    return value >= lowest && value <= highest ? value : null;
  };
}

/** One word of a closed list. */
export function oneOf<const Words extends readonly string[]>(words: Words): ParseSetting<Words[number]> {
  return (text) => words.find((word) => word === text) ?? null;
}

/** One line of text without control characters. */
export function plainText(longest: number): ParseSetting<string> {
  return (text) => (text.length <= longest && !hasControlCharacter(text) ? text : null);
}

/** A name made of letters, digits, `.`, `_` and `-`. */
export function plainName(text: string): string | null {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text) ? text : null;
}

/** An http(s) URL without credentials, query or fragment; answered without a slash at its end. */
export function httpUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") return null;
  return url.href.replace(/\/+$/, "");
}

/**
 * What local model servers take as their address: a URL, `host:port` or a bare host. The address
 * that means "every interface" is where a server listens, not where it is reached.
 */
export function localServerUrl(defaultPort: number): ParseSetting<string> {
  return (text) => {
    const hasScheme = /^[a-z]+:\/\//i.test(text);
    const address = httpUrl(hasScheme ? text : `http://${isIP(text) === 6 ? `[${text}]` : text}`);
    if (address === null) return null;
    const url = new URL(address);
    if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
    if (!hasScheme && url.port === "") url.port = String(defaultPort);
    return url.href.replace(/\/+$/, "");
  };
}

/** A host to listen on: an address, bare or in brackets, or a name. Answered in lower case. */
export function hostToBind(text: string): string | null {
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  if (isIP(bare) !== 0) return bare.toLowerCase();
  return isHostName(bare) ? bare.toLowerCase() : null;
}

/** `Host` names, parted by commas or blanks; a port is allowed and dropped. */
export function hostNames(text: string): readonly string[] | null {
  const names: string[] = [];
  for (const entry of splitList(text)) {
    const withoutPort = isIP(entry) === 6 ? entry : entry.replace(/:\d{1,5}$/, "");
    const name = hostToBind(withoutPort);
    if (name === null) return null;
    names.push(name);
  }
  return names;
}

/** Addresses and CIDR ranges, parted by commas or blanks. */
export function addressRanges(text: string): readonly string[] | null {
  const ranges = splitList(text);
  return ranges.every(isAddressRange) ? ranges : null;
}

/** A path prefix: answered as `""` or as `/a/b`, without a slash at its end. */
export function pathPrefix(text: string): string | null {
  const segments = text.split("/").filter((segment) => segment !== "");
  if (segments.some((segment) => !/^[A-Za-z0-9._~-]{1,64}$/.test(segment) || /^\.+$/.test(segment))) return null;
  return segments.map((segment) => `/${segment}`).join("");
}

/** A directory: `~` is the person's home, anything relative is taken from the working directory. */
export function directoryPath(home: string): ParseSetting<string> {
  return (text) => {
    if (hasControlCharacter(text)) return null;
    if (text === "~") return home;
    return text.startsWith("~/") ? resolve(home, text.slice(2)) : resolve(/* turbopackIgnore: true */ text);
  };
}

export interface DatabaseLocation {
  /** `file:///…`, percent-encoded. */
  readonly url: string;
  /** Absolute. */
  readonly path: string;
}

/** A libSQL `file:` URL of a real file; nothing remote, nothing in memory, no parameters. */
export function databaseUrl(text: string): DatabaseLocation | null {
  if (!/^file:/i.test(text) || /[?#]/.test(text) || hasControlCharacter(text)) return null;
  const rest = text.slice("file:".length);
  if (rest === "" || rest.endsWith("/") || rest.includes(":memory:")) return null;
  if (!rest.startsWith("/")) {
    const relative = decodePercent(rest);
    return relative === null ? null : databaseAt(resolve(/* turbopackIgnore: true */ relative));
  }
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.host !== "" || decodePercent(url.pathname) === null || /%2f/i.test(url.pathname)) return null;
  return databaseAt(fileURLToPath(url));
}

export function databaseAt(path: string): DatabaseLocation {
  return { url: pathToFileURL(path).href, path };
}

function decodePercent(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text);
    return hasControlCharacter(decoded) ? null : decoded;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function splitList(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== "");
}

function isHostName(text: string): boolean {
  return text.length <= 253 && text.split(".").every((label) => /^[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?$/.test(label));
}

function isAddressRange(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return wholeNumber(0, version === 4 ? 32 : 128)(prefix) !== null;
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 32 || code === 127;
  });
}
