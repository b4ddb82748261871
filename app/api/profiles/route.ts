import { z } from "zod";
import { created, ok } from "#server/answer";
import { handle } from "#server/handle";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const route = "/api/profiles";

export const GET = handle({ route }, async ({ server }) => ok({ profiles: await server.profiles.list() }));

export const POST = handle({ route, body: z.object({ name: z.string(), clone_from: z.string().nullish() }) }, async ({ server, body: { name, clone_from } }) =>
  created({ profile: await server.profiles.create(name, clone_from ?? null) }),
);
