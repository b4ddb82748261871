/**
 * What holds for pages as `handle` holds it for routes: the host and the peer are ours, a stranger is
 * led to the login, and a page may load and run only what this server made (a nonce per answer).
 */
import { randomBytes } from "node:crypto";
import { asAppError } from "./as-app-error";
import { serverOfProcess } from "./process-slot";
import { safeNext } from "./safe-next";
import type { Server } from "./server";

export type PageDecision =
  | { readonly kind: "show"; readonly policy: string; readonly nonce: string }
  /** Path below the base path. */
  | { readonly kind: "redirect"; readonly path: string }
  | { readonly kind: "refuse"; readonly status: number; readonly message: string };

export interface PageRequest {
  readonly headers: Headers;
  /** Below the base path, with its query. */
  readonly path: string;
  readonly isLogin: boolean;
}

export async function guardPage(request: PageRequest): Promise<PageDecision> {
  const server = await serverOfProcess();
  const refusal = refusalOf(server, request.headers);
  if (refusal !== null) return refusal;
  const known = await server.auth.isAllowed(request.headers);
  if (!known && !request.isLogin) {
    const next = safeNext(request.path);
    return { kind: "redirect", path: next === "/" ? "/login" : `/login?next=${encodeURIComponent(next)}` };
  }
  const nonce = randomBytes(16).toString("base64");
  return { kind: "show", policy: pagePolicy(nonce), nonce };
}

function refusalOf(server: Server, headers: Headers): PageDecision | null {
  try {
    server.guards.checkHost(headers);
    server.guards.checkPeer(server.peers.peerOf(headers));
    return null;
  } catch (error) {
    const known = asAppError(error);
    if (known === null) throw error;
    return { kind: "refuse", status: known.status, message: known.message };
  }
}

function pagePolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    // Server-rendered `style=` attributes cannot carry a nonce.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
