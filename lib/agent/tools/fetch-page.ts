/**
 * One page of the web: redirects followed by hand, each hop checked before it is connected to (see
 * address-guard), no proxy, no cookie, no credentials, bounded in hops, bytes and time.
 */
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { type AddressGuard, INSIDE_ADDRESS } from "./address-guard";

export type FetchedPage =
  | {
      readonly kind: "page";
      /** Where it really came from. */
      readonly url: string;
      readonly status: number;
      readonly content_type: string;
      readonly bytes: Buffer;
      /** True when there is more than `bytes`. */
      readonly cut: boolean;
    }
  | { readonly kind: "failed"; readonly message: string };

const MAX_REDIRECTS = 5;
const MAX_BYTES = 2 * 1024 * 1024;
const TIME_LIMIT_MS = 20_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function failed(message: string): FetchedPage {
  return { kind: "failed", message };
}

/** Why an address is not to be asked at all, or null. */
function refusalOf(url: URL, guard: AddressGuard): string | null {
  if (url.protocol !== "http:" && url.protocol !== "https:") return "Only http and https addresses can be opened.";
  if (url.username !== "" || url.password !== "") return "Addresses with a name and password are not opened.";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 && !guard.permits(host, portOf(url)) ? INSIDE_MESSAGE : null;
}

const INSIDE_MESSAGE = "That address is on a private network and is not opened.";

function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

function ask(url: URL, guard: AddressGuard, signal: AbortSignal): Promise<IncomingMessage> {
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const headers = { accept: "text/html,text/plain,application/json;q=0.9,*/*;q=0.5", "accept-encoding": "identity", "user-agent": "Mozilla/5.0 (compatible; HermesWebUI)" };
  return new Promise((resolve, reject) => {
    const asked = send(url, { agent: false, headers, lookup: guard.lookupFor(portOf(url)), signal }, resolve);
    asked.once("error", reject);
    asked.end();
  });
}

function decoded(answer: IncomingMessage): Readable {
  const encoding = answer.headers["content-encoding"] ?? "identity";
  const decoders = { gzip: createGunzip, "x-gzip": createGunzip, deflate: createInflate, br: createBrotliDecompress } as const;
  const found = Object.entries(decoders).find(([name]) => name === encoding.trim().toLowerCase());
  // A failure of either end destroys both, and reaches the reader as the error of its loop.
  return found === undefined ? answer : pipeline(answer, found[1](), () => undefined);
}

async function readBody(answer: IncomingMessage): Promise<{ readonly bytes: Buffer; readonly cut: boolean }> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of decoded(answer)) {
    const bytes = Buffer.from(part);
    parts.push(bytes);
    size += bytes.length;
    if (size > MAX_BYTES) break;
  }
  answer.destroy();
  return { bytes: Buffer.concat(parts).subarray(0, MAX_BYTES), cut: size > MAX_BYTES };
}

function messageOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return `It did not answer within ${TIME_LIMIT_MS / 1000} s.`;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === INSIDE_ADDRESS) return INSIDE_MESSAGE;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "There is no such host, or names can't be resolved here.";
  return `It could not be reached${code === "" ? "" : ` (${code})`}.`;
}

async function follow(start: URL, guard: AddressGuard, signal: AbortSignal): Promise<FetchedPage> {
  let url = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const refusal = refusalOf(url, guard);
    if (refusal !== null) return failed(refusal);
    const answer = await ask(url, guard, signal);
    const status = answer.statusCode ?? 0;
    const { location } = answer.headers;
    if (REDIRECTS.has(status) && location !== undefined) {
      answer.destroy();
      const next = URL.canParse(location, url) ? new URL(location, url) : null;
      if (next === null) return failed("It redirects to something that is no address.");
      url = next;
      continue;
    }
    return { kind: "page", url: url.href, status, content_type: answer.headers["content-type"] ?? "", ...(await readBody(answer)) };
  }
  return failed(`It redirects more than ${MAX_REDIRECTS} times.`);
}

/** Never rejects; an abort of `signal` answers as failed. */
export async function fetchPage(address: string, guard: AddressGuard, signal: AbortSignal): Promise<FetchedPage> {
  if (!URL.canParse(address)) return failed("That is no address. It begins with https:// or http://.");
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
  try {
    return await follow(new URL(address), guard, bounded);
  } catch (error) {
    return failed(messageOf(error, bounded));
  }
}
