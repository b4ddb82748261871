/**
 * Addresses of the runner's routes. Only what can be one of our ids becomes part of a path; for anything
 * else there is null, and the caller answers as for an unknown one without asking anybody.
 */
import { parseId } from "#protocol/ids";

export function runPath(runId: string, rest = ""): string | null {
  const id = parseId("run", runId);
  return id === null ? null : `/v1/runs/${id}${rest}`;
}

export function sessionPath(sessionId: string, rest = ""): string | null {
  const id = parseId("ses", sessionId);
  return id === null ? null : `/v1/sessions/${id}${rest}`;
}

/** An answer to a question that cannot exist goes the same way, and is told that it is not asked. */
export function clarificationPath(runId: string, clarifyId: string): string | null {
  return runPath(runId, `/clarifications/${parseId("clr", clarifyId) ?? "none"}/respond`);
}
