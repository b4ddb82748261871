/** The views of a session's transcript, oldest first, a bounded number at a time; rewound runs are left out. */
import type { RunView } from "#protocol/run-view";
import { openSession } from "./open-session";
import type { SessionsRoom } from "./sessions-room";

const RUNS_PER_READ = 20;

export async function* transcriptViews(room: Pick<SessionsRoom, "database">, sessionId: string): AsyncGenerator<RunView> {
  const [found] = await room.database.read([
    { sql: "SELECT run_id FROM runs WHERE session_id = ? AND rewind IS NULL ORDER BY position", args: [sessionId] },
  ]);
  const runIds = (found?.rows ?? []).map((row) => String(row["run_id"]));
  for (let from = 0; from < runIds.length; from += RUNS_PER_READ) {
    const before = runIds[from + RUNS_PER_READ] ?? null;
    const page = await openSession(room, { sessionId, runs: Math.min(RUNS_PER_READ, runIds.length - from), before });
    yield* page.runs;
  }
}
