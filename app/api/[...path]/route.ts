import { AppError } from "#protocol/errors";
import { handle } from "#server/handle";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

/** Whatever is no route of ours is said so in JSON, behind the same guards, instead of with the framework's page. */
const nothing = handle({ route: "/api/*" }, () => Promise.reject(new AppError("not_found", "There is no such route.")));

export const GET = nothing;
export const POST = nothing;
export const PUT = nothing;
export const PATCH = nothing;
export const DELETE = nothing;
