import { z } from "zod";
import { exportAnswer } from "#server/export-answer";
import { handle } from "#server/handle";
import { requireId } from "#server/known-id";
import { idParams } from "#server/route-inputs";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const query = z.object({ format: z.enum(["json", "md", "html"]).optional() });

export const GET = handle({ route: "/api/sessions/{id}/export", params: idParams, query }, ({ server, params, query: { format = "json" } }) =>
  exportAnswer(server, requireId("ses", params.id), format),
);
