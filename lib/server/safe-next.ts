/**
 * Where a login leads afterwards (B249): a path of this server or the front page. A browser reads a
 * backslash as a slash and drops tabs and line ends, so the address is resolved as it would do it and
 * must come out on the same origin, as the same text, and not at the login page again.
 */
const ORIGIN = "http://here.invalid";
const LONGEST = 300;

export function safeNext(next: string | null): string {
  if (next === null || next.length > LONGEST || !next.startsWith("/") || next.startsWith("//") || /[\\\s\p{Cc}]/u.test(next)) return "/";
  if (!URL.canParse(next, ORIGIN)) return "/";
  const url = new URL(next, ORIGIN);
  const path = `${url.pathname}${url.search}${url.hash}`;
  if (url.origin !== ORIGIN || path.startsWith("//") || /^\/login(?:[/?#]|$)/.test(path)) return "/";
  return path;
}
