/** What helps to find out what is wrong: health, recent errors, and how the runs of a session stand. No secrets, no words of people. */
import type { RunState } from "#protocol/run-view";
import { readHealth, type Health } from "./health";
import type { RecentError } from "./recent-errors";
import type { Server } from "./server";

export interface Diagnostics extends Health {
  readonly node: string;
  readonly platform: string;
  readonly recent_errors: readonly RecentError[];
  /** The newest runs of the session that was asked about; null without one. */
  readonly session: { readonly session_id: string; readonly active_run_id: string | null; readonly runs: readonly RunState[] } | null;
}

const RUNS = 5;

/** Throws `session_not_found`. */
export async function readDiagnostics(server: Server, sessionId: string | null): Promise<Diagnostics> {
  const page = sessionId === null ? null : await server.sessions.runs({ sessionId, limit: RUNS, before: null });
  return {
    ...(await readHealth(server)),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    recent_errors: server.recentErrors.all,
    session: page === null || sessionId === null ? null : { session_id: sessionId, active_run_id: page.active_run_id, runs: page.runs },
  };
}
