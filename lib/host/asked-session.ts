/** The session that a start without one makes: it keeps the provider and model that were asked for, and no default. */
import type { InStatement } from "@libsql/client";
import type { StartRunRequest } from "#protocol/control";
import type { RunRequest } from "#protocol/run-request";
import { insertSession } from "#sessions/new-session";

/** `now` in Unix seconds. */
export function insertAskedSession(request: RunRequest, asked: StartRunRequest, now: number): InStatement {
  return insertSession({
    session_id: request.session_id,
    title: null,
    profile: request.profile,
    project_id: null,
    workspace: request.workspace,
    provider: asked.provider ?? null,
    model: asked.model ?? null,
    parent_session_id: null,
    hidden: false,
    now,
  });
}
