/**
 * What of a finished run is searched: the person's message and the answer. The answer is taken from
 * the stored pieces of the view, which the same transaction wrote: a long text is never put together
 * in this process for it.
 */
import type { InStatement } from "@libsql/client";
import type { RunView } from "#protocol/run-view";

/** Above this an answer is data rather than words; indexing it would hold everybody else up. */
const MOST_BYTES = 1_000_000;

const INSERT_MESSAGES = `INSERT INTO search_rows (run_id, session_id, body, created_at)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)`;

/**
 * Half a surrogate pair, which JSON writes as an escape, and NUL are no text that can be stored. With
 * the backslashes of the text itself out of the way, what is left of them begins an escape.
 */
const SAFE = "replace(replace(replace(p.body, '\\\\', '/'), '\\u0000', ' '), '\\ud', '?')";

/** Which pieces are within the bound is decided by their sizes alone; only those are read. */
const INSERT_ANSWERS = `INSERT INTO search_rows (run_id, session_id, body, created_at)
  WITH ended AS (SELECT value ->> 0 AS run_id, value ->> 1 AS session_id, value ->> 2 AS created_at FROM json_each(?)),
  sizes AS (
    SELECT e.run_id, e.session_id, e.created_at, p.part, p.piece,
      sum(octet_length(p.body)) OVER (PARTITION BY e.run_id ORDER BY p.part, p.piece) AS bytes
    FROM ended AS e
    CROSS JOIN run_view_parts AS s ON s.run_id = e.run_id AND s.piece = 0 AND s.body ->> '$.type' = 'text'
    CROSS JOIN run_view_parts AS p ON p.run_id = s.run_id AND p.part = s.part AND p.piece > 0)
  SELECT run_id, session_id, group_concat(text, ''), created_at FROM (
    SELECT f.run_id, f.session_id, f.created_at, f.part, ${SAFE} ->> '$' AS text
    FROM sizes AS f CROSS JOIN run_view_parts AS p ON p.run_id = f.run_id AND p.part = f.part AND p.piece = f.piece
    WHERE f.bytes <= ${MOST_BYTES} ORDER BY f.run_id, f.part, f.piece)
  GROUP BY run_id, part`;

/** For runs that end in this transaction, after the statements that write their views. */
export function searchStatements(ended: readonly RunView[]): readonly InStatement[] {
  if (ended.length === 0) return [];
  const messages = ended.flatMap((view) => {
    const text = Buffer.from(view.message?.text ?? "").toString().replaceAll("\0", " ").trim();
    return text === "" ? [] : [[view.run_id, view.session_id, text, view.started_at]];
  });
  const answers = ended.map((view) => [view.run_id, view.session_id, view.started_at]);
  return [
    { sql: INSERT_MESSAGES, args: [JSON.stringify(messages)] },
    { sql: INSERT_ANSWERS, args: [JSON.stringify(answers)] },
  ];
}
