/**
 * Where the page is: the front, or a session, perhaps at one of its turns. Moves are the page's own
 * (history.pushState), so that going from session to session asks no server for a page and works
 * while the web process is away. The address always beats what the browser remembers.
 */
import { useSyncExternalStore } from "react";

export type Place =
  | { readonly kind: "front" }
  | { readonly kind: "session"; readonly sessionId: string; readonly runId: string | null };

const MOVED = "hermes:moved";

export function readPlace(pathname: string, search: string, basePath: string): Place {
  const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : pathname;
  const match = /^\/s\/([^/]+)\/?$/.exec(path);
  if (match === null) return { kind: "front" };
  return { kind: "session", sessionId: decoded(match[1] ?? ""), runId: new URLSearchParams(search).get("run") };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A broken escape names no session; as it is it is not found.
    return text;
  }
}

export function placePath(place: Place, basePath: string): string {
  if (place.kind === "front") return `${basePath}/`;
  const run = place.runId === null ? "" : `?run=${encodeURIComponent(place.runId)}`;
  return `${basePath}/s/${encodeURIComponent(place.sessionId)}${run}`;
}

function subscribe(notify: () => void): () => void {
  window.addEventListener("popstate", notify);
  window.addEventListener(MOVED, notify);
  return () => {
    window.removeEventListener("popstate", notify);
    window.removeEventListener(MOVED, notify);
  };
}

const address = (): string => `${window.location.pathname}${window.location.search}`;

/** Only in the browser: the server draws no place. */
export function usePlace(basePath: string): Place {
  const current = useSyncExternalStore(subscribe, address, () => "");
  const [pathname = "", search = ""] = current.split("?");
  return readPlace(pathname, search, basePath);
}

/** `replace`: for moves that nobody would go back to. */
export function moveTo(place: Place, basePath: string, replace = false): void {
  const path = placePath(place, basePath);
  if (replace) window.history.replaceState(null, "", path);
  else if (path !== address()) window.history.pushState(null, "", path);
  window.dispatchEvent(new Event(MOVED));
}
