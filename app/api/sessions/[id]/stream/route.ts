import { handle } from "#server/handle";
import { idParams } from "#server/route-inputs";
import { sessionStreamAnswer } from "#server/stream-answer";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const GET = handle({ route: "/api/sessions/{id}/stream", params: idParams }, (call) => sessionStreamAnswer(call, call.params.id));
