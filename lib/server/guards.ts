/**
 * Who may ask at all, before anything is read: the Host a browser believes it talks to (DNS
 * rebinding), the socket's peer (without a password only this machine), and the page a change comes
 * from (any page on the web can send a form here). What a client writes into headers only ever makes
 * an answer stricter, save behind a proxy that the person named.
 */
import { BlockList, isIP } from "node:net";
import { isLoopbackHost } from "#config/loopback";
import { AppError } from "#protocol/errors";
import { plainAddress, type Peer } from "./peers";

export interface GuardSettings {
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly password: string | null;
  /** Addresses and CIDR ranges. */
  readonly trustedProxies: readonly string[];
}

/** Who asks, after proxies that are trusted were looked through. */
export interface Caller {
  readonly address: string;
  readonly https: boolean;
}

export class Guards {
  readonly #settings: GuardSettings;
  readonly #names: ReadonlySet<string>;
  readonly #trusted: BlockList;

  constructor(settings: GuardSettings) {
    this.#settings = settings;
    this.#names = new Set(["localhost", settings.host, ...settings.allowedHosts].map(bareName));
    this.#trusted = blockListOf(settings.trustedProxies);
  }

  /** Throws `host_not_allowed`. */
  checkHost(headers: Headers): void {
    const host = headers.get("host");
    const name = host === null ? null : hostName(host);
    if (name === null || !this.#isAllowedName(name)) {
      throw new AppError("host_not_allowed", "This address is not one this server answers to. Add its name to HERMES_WEBUI_ALLOWED_HOSTS.");
    }
  }

  /**
   * Throws `remote_not_allowed`: without a password only loopback peers, by the socket. A request that
   * came before the framework called us has no known peer; it is asked to come again, not sent away.
   */
  checkPeer(peer: Peer | null): void {
    if (this.#settings.password !== null) return;
    if (peer === null) throw new AppError("runner_unavailable", "This server is just starting. Try again in a moment.", { retryable: true });
    if (!isLoopbackHost(peer.address)) {
      throw new AppError("remote_not_allowed", "Without a password this server answers its own machine only. Set HERMES_WEBUI_PASSWORD.");
    }
  }

  /** Throws `origin_not_allowed` for a change that a browser says comes from another site. */
  checkOrigin(headers: Headers): void {
    const site = headers.get("sec-fetch-site");
    const origin = headers.get("origin");
    const foreignSite = site !== null && site !== "same-origin" && site !== "none";
    if (foreignSite || (origin !== null && !this.#isOwnOrigin(origin, headers.get("host")))) {
      throw new AppError("origin_not_allowed", "Changes are taken from this server's own pages only.");
    }
  }

  caller(peer: Peer | null, headers: Headers): Caller {
    const address = peer?.address ?? "unknown";
    if (!this.#isTrusted(address)) return { address, https: false };
    const forwarded = (headers.get("x-forwarded-for") ?? "").split(",").map((part) => plainAddress(part.trim()));
    // The right-most address that is no proxy of ours: what stands left of it anybody could have written.
    const client = forwarded.reverse().find((part) => isIP(part) !== 0 && !this.#isTrusted(part));
    const scheme = (headers.get("x-forwarded-proto") ?? "").split(",").at(-1)?.trim().toLowerCase();
    return { address: client ?? address, https: scheme === "https" };
  }

  #isAllowedName(name: string): boolean {
    if (this.#names.has(name) || isLoopbackHost(name)) return true;
    return isIP(name) !== 0 && !isLoopbackHost(this.#settings.host);
  }

  #isOwnOrigin(origin: string, host: string | null): boolean {
    if (!URL.canParse(origin)) return false;
    const url = new URL(origin);
    if (host !== null && url.host === host.toLowerCase()) return true;
    return this.#settings.allowedHosts.some((name) => bareName(name) === bareName(url.hostname));
  }

  #isTrusted(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#trusted.check(address, family === 6 ? "ipv6" : "ipv4");
  }
}

/** The name in a Host header, without port and brackets, in lower case; null when it is no host at all. */
function hostName(host: string): string | null {
  const match = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]/@\s]+)(?::[0-9]{1,5})?$/.exec(host);
  return match?.[1] === undefined ? null : bareName(match[1]);
}

function bareName(name: string): string {
  return plainAddress(name.replace(/^\[|\]$/g, ""));
}

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
