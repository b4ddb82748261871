/**
 * A session as a file. JSON is written piece by piece from one place in the journal: runs that were
 * taken out are in it, a run that has not ended is not (its story could not be read in again).
 */
import { z } from "zod";
import type { Database } from "#db/database";
import { readSummary } from "./session-summary";
import type { SessionsRoom } from "./sessions-room";

export const EXPORT_FORMAT = "hermes-session";
export const EXPORT_VERSION = 1;

const EVENTS_PER_READ = 500;
const runRow = z.object({ run_id: z.string() });
const pageRow = z.object({ envelopes: z.string().nullable(), last: z.number().nullable() });

/** Pieces of the JSON text. Throws `session_not_found` before the first. */
export async function exportJson(room: Pick<SessionsRoom, "database">, sessionId: string): Promise<AsyncGenerator<string>> {
  const session = await readSummary(room, sessionId);
  const [runs] = await room.database.read([
    { sql: "SELECT run_id FROM runs WHERE session_id = ? AND terminal_state IS NOT NULL ORDER BY position", args: [sessionId] },
  ]);
  const runIds = (runs?.rows ?? []).map((row) => runRow.parse(row).run_id);
  return jsonPieces(room.database, sessionId, JSON.stringify(session), runIds);
}

async function* jsonPieces(database: Database, sessionId: string, session: string, runIds: readonly string[]): AsyncGenerator<string> {
  yield `{"format":"${EXPORT_FORMAT}","version":${EXPORT_VERSION},"session":${session},"runs":[`;
  for (const [index, runId] of runIds.entries()) {
    yield `${index === 0 ? "" : ","}{"run_id":${JSON.stringify(runId)},"events":[`;
    yield* envelopes(database, "run_id = ?", runId);
    yield "]}";
  }
  yield '],"log":[';
  yield* envelopes(database, "session_id = ? AND run_id IS NULL", sessionId);
  yield "]}\n";
}

/** Envelopes as they are stored, joined by commas, a bounded number at a time. */
async function* envelopes(database: Database, condition: string, owner: string): AsyncGenerator<string> {
  let after = 0;
  for (;;) {
    const [found] = await database.read([
      {
        sql: `SELECT group_concat(envelope, ',') AS envelopes, MAX(seq) AS last
              FROM (SELECT envelope, seq FROM events WHERE ${condition} AND seq > ? ORDER BY seq LIMIT ${EVENTS_PER_READ})`,
        args: [owner, after],
      },
    ]);
    const page = pageRow.parse(found?.rows[0]);
    if (page.envelopes === null || page.last === null) return;
    yield after === 0 ? page.envelopes : `,${page.envelopes}`;
    after = page.last;
  }
}
