import { handle } from "#server/handle";
import { answerApproval, approvalAnswerSchema } from "#server/prompt-answers";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export const POST = handle({ route: "/api/approval/respond", body: approvalAnswerSchema }, ({ server, body }) => answerApproval(server, body));
