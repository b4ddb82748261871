import { ok } from "#server/answer";
import { handle } from "#server/handle";
import { readHealth } from "#server/health";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

/** A stranger learns only whether it is well. */
export const GET = handle({ route: "/api/health", access: "public" }, async ({ server, known }) => {
  const health = await readHealth(server);
  return ok(known ? health : { status: health.status });
});
