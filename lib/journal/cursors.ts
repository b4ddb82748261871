/**
 * From a client's cursor to a position (contract 2.4). A cursor that cannot be placed is never read
 * as less: it is a reset, and the reader gets everything. Null: there is no such run or session.
 */
import type { Database } from "#db/database";
import { parseCursor } from "#protocol/cursor";
import type { ResolvedCursor } from "./journal";

const START: ResolvedCursor = { kind: "at", position: 0, finished: false };

export async function resolveRunCursor(database: Database, runId: string, text: string | null): Promise<ResolvedCursor | null> {
  const cursor = parseCursor(text, { bareSeq: true });
  const seq = cursor.kind === "seq" || cursor.kind === "event" ? cursor.seq : 0;
  const found = await database.execute({
    sql: `SELECT e.position, e.terminal FROM runs AS r LEFT JOIN events AS e ON e.run_id = r.run_id AND e.seq = ? WHERE r.run_id = ?`,
    args: [seq, runId],
  });
  const row = found.rows[0];
  if (row === undefined) return null;
  if (cursor.kind === "malformed") return { kind: "reset", reason: "malformed" };
  if (cursor.kind === "event" && cursor.owner !== runId) return { kind: "reset", reason: "foreign" };
  if (seq === 0) return START;
  if (row["position"] === null) return { kind: "reset", reason: "past_end" };
  return { kind: "at", position: Number(row["position"]), finished: row["terminal"] === 1 };
}

/** The cursor is any event id of the session's own log or of one of its runs. */
export async function resolveSessionCursor(database: Database, sessionId: string, text: string | null): Promise<ResolvedCursor | null> {
  const cursor = parseCursor(text, { bareSeq: false });
  const [session, event, owner] = await database.read([
    { sql: "SELECT 1 FROM sessions WHERE session_id = ?", args: [sessionId] },
    cursor.kind === "event" ? eventOf(cursor.owner, cursor.seq) : "SELECT 1 WHERE false",
    { sql: "SELECT session_id FROM runs WHERE run_id = ?", args: [cursor.kind === "event" ? cursor.owner : ""] },
  ]);
  if (session?.rows[0] === undefined) return null;
  if (cursor.kind === "start") return START;
  if (cursor.kind !== "event") return { kind: "reset", reason: "malformed" };
  const ownerSession = cursor.owner.startsWith("ses_") ? cursor.owner : owner?.rows[0]?.["session_id"];
  if (ownerSession !== sessionId) return { kind: "reset", reason: "foreign" };
  if (cursor.seq === 0) return START;
  const position = event?.rows[0]?.["position"];
  return position === undefined ? { kind: "reset", reason: "past_end" } : { kind: "at", position: Number(position), finished: false };
}

function eventOf(owner: string, seq: number): { sql: string; args: (string | number)[] } {
  const log = owner.startsWith("ses_") ? "session_id = ? AND run_id IS NULL" : "run_id = ?";
  return { sql: `SELECT position FROM events WHERE ${log} AND seq = ?`, args: [owner, seq] };
}
