import { handle } from "#server/handle";
import { answerClarify, clarifyAnswerBodySchema } from "#server/prompt-answers";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const POST = handle({ route: "/api/clarify/respond", body: clarifyAnswerBodySchema }, ({ server, body }) => answerClarify(server, body));
