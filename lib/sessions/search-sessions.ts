/** Full-text search over every message of the transcripts; what was rewound and what belongs to hidden sessions is left out. */
import { z } from "zod";
import { searchQuery } from "./search-text";
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
