/**
 * Where the runner listens: the host and port of the address that the web process is given, so that
 * one setting means the same on both sides. Beyond loopback only with a key that somebody chose.
 */
import { isLoopbackHost } from "#config/loopback";
import { resolveRunnerKey } from "#config/runner-key";
import type { Settings } from "#config/settings";

export interface ListenPlace {
  /** What the web process calls it. */
  readonly url: string;
  /** Bare, as a socket takes it. */
  readonly host: string;
  readonly port: number;
  /** Path in front of every route, `""` or `/prefix`. */
  readonly prefix: string;
  readonly key: string;
}

export type ListenPlaceResult = { readonly ok: true; readonly place: ListenPlace } | { readonly ok: false; readonly message: string };

/** Refuses in one line that names the variable. */
export function findListenPlace(settings: Settings): ListenPlaceResult {
  const url = settings.runner.baseUrl ?? defaultUrl(settings.port);
  if (url === null) return refuse("HERMES_WEBUI_RUNNER_BASE_URL must be set where HERMES_WEBUI_PORT is 65535: the runner takes the next port.");
  const { protocol, hostname, port, pathname } = new URL(url);
  if (protocol !== "http:") return refuse("HERMES_WEBUI_RUNNER_BASE_URL must begin with http:// for the runner itself: TLS is ended in front of it.");
  const host = hostname.replace(/^\[|\]$/g, "");
  const key = isLoopbackHost(host) ? resolveRunnerKey({ ...settings, runner: { ...settings.runner, baseUrl: url } }) : settings.runner.apiKey;
  if (key === null) return refuse("HERMES_WEBUI_RUNNER_API_KEY must be set for a runner that listens beyond this machine.");
  return { ok: true, place: { url, host, port: port === "" ? 80 : Number(port), prefix: pathname === "/" ? "" : pathname, key } };
}

function defaultUrl(webPort: number): string | null {
  return webPort < 65_535 ? `http://127.0.0.1:${webPort + 1}` : null;
}

function refuse(message: string): ListenPlaceResult {
  return { ok: false, message };
}
