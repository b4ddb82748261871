/** `session_search` over the profile's own sessions: full-text, best first. */
import { z } from "zod";
import type { Database } from "#db/database";
import type { SessionSearchPort } from "#agent/tools/session-search";

const LIMIT = 10;
const hitSchema = z.object({ session_id: z.string(), title: z.string(), run_id: z.string(), snippet: z.string(), created_at: z.number() });

export function createSessionSearchPort(database: Database, profile: string): SessionSearchPort {
  return {
    search: async (query) => {
      const { rows } = await database.execute({
        sql: `SELECT r.session_id, s.title, r.run_id, snippet(search_index, 0, '', '', '…', 24) AS snippet, r.created_at
              FROM search_index JOIN search_rows r ON r.row_id = search_index.rowid JOIN sessions s ON s.session_id = r.session_id
              WHERE search_index MATCH ? AND s.profile = ? ORDER BY rank LIMIT ?`,
        args: [asPhrases(query), profile, LIMIT],
      });
      return rows.map((row) => hitSchema.parse(row));
    },
  };
}

/** Every word as a quoted phrase: what a model writes is never an FTS expression. */
function asPhrases(query: string): string {
  const words = query.split(/\s+/).filter((word) => word !== "");
  return words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" ");
}
