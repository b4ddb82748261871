import { handle } from "#server/handle";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/metrics" }, async ({ server }) =>
  new Response(await server.metrics.text(), { headers: { "content-type": server.metrics.contentType } }),
);
