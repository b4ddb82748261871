import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const POST = handle(
  { route: "/api/auth/login", access: "public", body: z.object({ password: z.string().max(4096) }), once: false },
  async ({ server, body, caller }) => {
    const cookie = await server.auth.login(body.password, caller);
    return { ...ok({ ok: true }), ...(cookie === null ? {} : { headers: { "set-cookie": cookie } }) };
  },
);
