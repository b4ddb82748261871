import { handle } from "#server/handle";
import { filePath, ofSession } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/files/raw", query: ofSession.extend({ path: filePath.min(1) }) }, ({ request, server, query }) =>
  server.files.raw(query.session_id, query.path, request),
);
