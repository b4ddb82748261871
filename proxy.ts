/** Pages pass here before they are rendered; `/api` does not (its routes guard themselves, and a proxy would cut their bodies). */
import { NextResponse, type NextRequest } from "next/server";
import { guardPage } from "#server/page-guard";

export async function proxy(request: NextRequest): Promise<Response> {
  const { pathname, search } = request.nextUrl;
  const decision = await guardPage({
    headers: request.headers,
    path: `${pathname}${search}`,
    isLogin: pathname === "/login",
  });
  if (decision.kind === "refuse") return new Response(decision.message, { status: decision.status, headers: { "cache-control": "no-store" } });
  if (decision.kind === "redirect") {
    const target = request.nextUrl.clone();
    const [path = "/login", query = ""] = decision.path.split("?");
    target.pathname = path;
    target.search = query;
    return NextResponse.redirect(target);
  }
  const headers = new Headers(request.headers);
  headers.set("content-security-policy", decision.policy);
  headers.set("x-nonce", decision.nonce);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", decision.policy);
  response.headers.set("cache-control", "no-store");
  return response;
}

// The front page by its own name too: behind a path prefix it has no slash for the pattern to begin with.
export const config = { matcher: ["/", "/((?!api(?:/|$)|_next/|[^/]+\\.(?:ico|png|svg|webmanifest|txt)$).*)"] };
