import { handle } from "#server/handle";
import { severalSessionsAnswer } from "#server/stream-answer";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

/** The page's own stream: `?s=<session_id>~<cursor>&s=…`, several sessions in one connection. */
export const GET = handle({ route: "/api/events" }, (call) => Promise.resolve(severalSessionsAnswer(call)));
