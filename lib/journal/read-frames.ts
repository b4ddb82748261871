/**
 * Reads events as ready SSE frames: the database joins them to one text, so that a long replay costs
 * one row a piece and the envelopes are never parsed. A piece holds at most 256 rows and 128 to
 * 256 KiB, of which a reader who stopped reading costs a handful.
 */
import type { StatementResult } from "#db/connection";
import type { Database } from "#db/database";
import type { FrameChunk } from "./journal";

const MOST_ROWS = 256;
const MOST_BYTES = 131_072;

const FRAME = `'id: ' || COALESCE(run_id, session_id) || ':' || seq || char(10) || 'event: ' || type || char(10) || 'data: ' || envelope || char(10, 10)`;

/** A log that is read in its order: a run's events by seq, a session's by position. */
export interface FrameLog {
  /** The number that rises, and what selects the log's events; `?1` is its id. */
  readonly order: "seq" | "position";
  readonly where: string;
  /** A scalar that says whether the log can still grow: `open`, `ended`, `gone`. */
  readonly state: string;
}

export const RUN_LOG: FrameLog = {
  order: "seq",
  where: "run_id = ?1",
  state: "COALESCE((SELECT CASE WHEN ended_at IS NULL THEN 'open' ELSE 'ended' END FROM runs WHERE run_id = ?1), 'gone')",
};
export const SESSION_LOG: FrameLog = {
  order: "position",
  where: "session_id = ?1",
  state: "COALESCE((SELECT 'open' FROM sessions WHERE session_id = ?1), 'gone')",
};

export interface FramePiece {
  /** Null when nothing is there after the place asked for. */
  readonly chunk: FrameChunk | null;
  /** The place after the chunk, in the log's own order. */
  readonly next: number;
  /** True when there was more than fits into one piece. */
  readonly more: boolean;
  /** `open`: more may come. `ended`: nothing follows once everything was read. `gone`: the log is not there any more. */
  readonly state: "open" | "ended" | "gone";
}

export async function readFrames(database: Database, log: FrameLog, id: string, after: number): Promise<FramePiece> {
  const row = single(await database.execute({ sql: framesSql(log), args: [id, after, MOST_ROWS] }));
  if (row["text"] !== null || row["count"] === 0) return pieceOf(row, after, row["count"] === MOST_ROWS);
  // Too much for one piece: as many rows as fit, at least one.
  const fitting = single(await database.execute({ sql: fittingSql(log), args: [id, after, MOST_ROWS] }));
  return pieceOf(single(await database.execute({ sql: framesSql(log), args: [id, after, Math.max(1, Number(fitting["count"]))] })), after, true);
}

/** Text is null when it would be too long, and it is of more than one row. */
function framesSql({ order, where, state }: FrameLog): string {
  return `SELECT CASE WHEN count(*) > 1 AND sum(bytes) > ${MOST_BYTES * 2} THEN NULL ELSE group_concat(frame, '') END AS text, count(*) AS count,
      min(position) AS first, max(position) AS last, max(${order}) AS next, max(terminal) AS terminal, ${state} AS state
    FROM (SELECT position, seq, terminal, octet_length(envelope) AS bytes, ${FRAME} AS frame
      FROM events WHERE ${where} AND ${order} > ?2 ORDER BY ${order} LIMIT ?3)`;
}

function fittingSql({ order, where }: FrameLog): string {
  return `SELECT count(*) AS count FROM (
      SELECT sum(octet_length(envelope)) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS bytes
      FROM (SELECT ${order}, envelope FROM events WHERE ${where} AND ${order} > ?2 ORDER BY ${order} LIMIT ?3))
    WHERE bytes <= ${MOST_BYTES}`;
}

type Row = StatementResult["rows"][number];

function single(result: StatementResult): Row {
  const row = result.rows[0];
  if (row === undefined) throw new Error("An aggregate has one row.");
  return row;
}

function pieceOf(row: Row, after: number, more: boolean): FramePiece {
  const state = row["state"] === "open" ? "open" : row["state"] === "ended" ? "ended" : "gone";
  const count = Number(row["count"]);
  const text = row["text"];
  if (count === 0 || typeof text !== "string") return { chunk: null, next: after, more: false, state };
  const chunk = createChunk(text, Number(row["first"]), Number(row["last"]), count, row["terminal"] === 1 && state === "ended");
  return { chunk, next: Number(row["next"]), more, state };
}

/** A chunk whose bytes are made once, at the first reader that wants them, and shared by all. */
export function createChunk(text: string, from: number, position: number, count: number, ended: boolean): FrameChunk {
  let bytes: Uint8Array | null = null;
  return {
    text,
    from,
    position,
    count,
    ended,
    get bytes() {
      bytes ??= new TextEncoder().encode(text);
      return bytes;
    },
  };
}
