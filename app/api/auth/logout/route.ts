import { ok } from "#server/answer";
import { handle } from "#server/handle";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const POST = handle({ route: "/api/auth/logout", access: "public", once: false }, async ({ request, server, caller }) => ({
  ...ok({ ok: true }),
  headers: { "set-cookie": await server.auth.logout(request.headers, caller) },
}));
