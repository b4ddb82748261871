/**
 * Login by one password (contract 3.4). A cookie holds a random token; the server keeps its keyed hash
 * only, so that neither a copy of the database nor another install's cookie opens anything, a logout
 * ends it here too, and a changed password ends all. Failed tries are counted per address, with a
 * bound on the addresses that are remembered.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Database } from "#db/database";
import { AppError } from "#protocol/errors";
import type { Caller } from "./guards";

const LOGIN_S = 30 * 24 * 60 * 60;
const MOST_FAILURES = 5;
const FAILURE_WINDOW_S = 60;
const MOST_ADDRESSES = 10_000;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export interface AuthPlan {
  readonly password: string | null;
  readonly basePath: string;
  /** Tells two servers of one host name apart: cookies do not know ports. */
  readonly port: number;
  readonly database: Database;
  readonly now: () => number;
}

export class Auth {
  readonly #plan: AuthPlan;
  readonly #failures = new Map<string, readonly number[]>();

  constructor(plan: AuthPlan) {
    this.#plan = plan;
  }

  get required(): boolean {
    return this.#plan.password !== null;
  }

  /** Whether the request may see everything: no password is set, or its cookie is a login. */
  async isAllowed(headers: Headers): Promise<boolean> {
    if (!this.required) return true;
    const token = this.#tokenOf(headers);
    if (token === null) return false;
    const { rows } = await this.#plan.database.execute({
      sql: "SELECT 1 FROM logins WHERE token_hash = ? AND expires_at > ?",
      args: [this.#hash(token), this.#plan.now()],
    });
    return rows.length > 0;
  }

  /** The cookie to set. Throws `unauthorized`, and `rate_limited` after too many failures, then for the right password too. */
  async login(password: string, caller: Caller): Promise<string | null> {
    if (this.#plan.password === null) return null;
    this.#checkFailures(caller.address);
    if (!sameText(password, this.#plan.password)) {
      this.#countFailure(caller.address);
      throw new AppError("unauthorized", "The password is wrong.");
    }
    this.#failures.delete(networkOf(caller.address));
    const token = randomBytes(32).toString("base64url");
    const now = this.#plan.now();
    await this.#plan.database.batch([
      { sql: "DELETE FROM logins WHERE expires_at <= ?", args: [now] },
      { sql: "INSERT INTO logins (token_hash, created_at, expires_at) VALUES (?, ?, ?)", args: [this.#hash(token), now, now + LOGIN_S] },
    ]);
    return this.#cookie(token, LOGIN_S, caller.https);
  }

  /** Ends the login on the server; answers the cookie that clears the browser's. */
  async logout(headers: Headers, caller: Caller): Promise<string> {
    const token = this.#tokenOf(headers);
    if (token !== null) {
      await this.#plan.database.batch([{ sql: "DELETE FROM logins WHERE token_hash = ?", args: [this.#hash(token)] }]);
    }
    return this.#cookie("", 0, caller.https);
  }

  get #cookieName(): string {
    return `hermes_login_${this.#plan.port}`;
  }

  #tokenOf(headers: Headers): string | null {
    const prefix = `${this.#cookieName}=`;
    const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
    const token = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length) ?? "";
    return TOKEN.test(token) ? token : null;
  }

  #cookie(token: string, seconds: number, https: boolean): string {
    const path = this.#plan.basePath === "" ? "/" : this.#plan.basePath;
    return `${this.#cookieName}=${token}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${https ? "; Secure" : ""}`;
  }

  #hash(token: string): string {
    return createHmac("sha256", this.#plan.password ?? "").update(token).digest("hex");
  }

  #recentFailures(address: string): readonly number[] {
    const since = this.#plan.now() - FAILURE_WINDOW_S;
    return (this.#failures.get(networkOf(address)) ?? []).filter((time) => time > since);
  }

  #checkFailures(address: string): void {
    const recent = this.#recentFailures(address);
    const oldest = recent[0];
    if (recent.length < MOST_FAILURES || oldest === undefined) return;
    throw new AppError("rate_limited", "Too many failed tries. Wait a minute.", {
      retry_after_s: Math.max(1, oldest + FAILURE_WINDOW_S - this.#plan.now()),
    });
  }

  /** The address that failed longest ago makes room. */
  #countFailure(address: string): void {
    const network = networkOf(address);
    const failures = [...this.#recentFailures(address), this.#plan.now()];
    this.#failures.delete(network);
    this.#failures.set(network, failures);
    if (this.#failures.size <= MOST_ADDRESSES) return;
    for (const oldest of this.#failures.keys()) {
      this.#failures.delete(oldest);
      break;
    }
  }
}

/** One household has a whole /64 of IPv6: its addresses count as one. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail = ""] = address.split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === "" ? [] : tail.split(":");
  const gap = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  return [...front, ...gap, ...back].slice(0, 4).join(":");
}

/** Compares in a time that does not tell where the texts differ. */
function sameText(given: string, wanted: string): boolean {
  const key = randomBytes(32);
  const digest = (text: string): Buffer => createHmac("sha256", key).update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
