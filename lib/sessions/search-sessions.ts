/** Full-text search over every message of the transcripts; what was rewound and what belongs to hidden sessions is left out. */
import { z } from "zod";
import { containsPattern, searchQuery } from "./search-text";
import type { SessionsRoom } from "./sessions-room";

const resultSchema = z.object({
  session_id: z.string(),
  title: z.string(),
  run_id: z.string(),
  /** Plain text around the first match. */
  snippet: z.string(),
  created_at: z.number(),
});
export type SearchResult = z.infer<typeof resultSchema>;

const MOST_RESULTS = 50;
const SNIPPET_WORDS = 24;
const MOST_IN_SESSION = 500;
const SNIPPET_CHARACTERS = 160;

/** The best matches first; no words, no results. */
export async function searchSessions(room: Pick<SessionsRoom, "database">, text: string): Promise<readonly SearchResult[]> {
  const query = searchQuery(text);
  if (query === null) return [];
  const [found] = await room.database.read([
    {
      sql: `SELECT t.session_id, s.title, t.run_id, snippet(search_index, 0, '', '', '…', ${SNIPPET_WORDS}) AS snippet, t.created_at
            FROM search_index JOIN search_rows t ON t.row_id = search_index.rowid
            JOIN runs r ON r.run_id = t.run_id JOIN sessions s ON s.session_id = t.session_id
            WHERE search_index MATCH ? AND r.rewind IS NULL AND s.hidden = 0
            ORDER BY search_index.rank, t.row_id DESC LIMIT ?`,
      args: [query, MOST_RESULTS],
    },
  ]);
  return (found?.rows ?? []).map((row) => resultSchema.parse(row));
}

/**
 * The places in one session, newest first: the text as it stands, or its words as everywhere. For one
 * who reads the session and wants to know in which turns to look.
 */
export async function searchInSession(room: Pick<SessionsRoom, "database">, sessionId: string, text: string): Promise<readonly SearchResult[]> {
  const wanted = text.trim();
  if (wanted === "") return [];
  const [found] = await room.database.read([
    {
      sql: `SELECT t.session_id, s.title, t.run_id, substr(t.body, max(1, instr(lower(t.body), lower(:wanted)) - ${SNIPPET_CHARACTERS / 4}), ${SNIPPET_CHARACTERS}) AS snippet, t.created_at
            FROM search_rows t JOIN runs r ON r.run_id = t.run_id JOIN sessions s ON s.session_id = t.session_id
            WHERE t.session_id = :session AND r.rewind IS NULL
              AND (t.body LIKE :pattern ESCAPE '\\' OR (:query IS NOT NULL AND t.row_id IN (SELECT rowid FROM search_index WHERE search_index MATCH :query)))
            ORDER BY r.position DESC, t.row_id DESC LIMIT ${MOST_IN_SESSION}`,
      args: { session: sessionId, wanted, pattern: containsPattern(wanted), query: searchQuery(wanted) },
    },
  ]);
  return (found?.rows ?? []).map((row) => resultSchema.parse(row));
}
