import { z } from "zod";
import { ok } from "#server/answer";
import { handle } from "#server/handle";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/models", query: z.object({ profile: z.string().optional() }) }, async ({ request, server, query: { profile = "default" } }) =>
  ok(await server.models.list(profile, request.signal)),
);
