import { created } from "#server/answer";
import { handle } from "#server/handle";
import { UPLOAD_LIMIT } from "#http/request-body";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

/** The form's own lines come on top of the file's bytes. */
const FORM_LIMIT = UPLOAD_LIMIT + 64 * 1024;

export const POST = handle({ route: "/api/attachments", takes: "form", limit: FORM_LIMIT }, async ({ server, form }) =>
  created(await server.attachments.receive(form ?? new FormData())),
);
