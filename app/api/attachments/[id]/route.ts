import { handle } from "#server/handle";
import { idParams } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/attachments/{id}", params: idParams }, ({ request, server, params }) =>
  server.attachments.answer(request, params.id),
);
