/**
 * The session list: pinned first, then the newest, page by page. The cursor is the place of the last
 * row (keyset), so that what changes between two pages neither repeats nor hides a row that stays put.
 */
import type { InArgs } from "@libsql/client";
import { z } from "zod";
import { AppError } from "#protocol/errors";
import type { SessionList, SessionSummary } from "#protocol/session-shapes";
import { jsonColumn } from "./json-column";
import { containsPattern, searchQuery } from "./search-text";
import { parseSummary, SELECT_SUMMARY } from "./session-summary";
import type { SessionsRoom } from "./sessions-room";

export interface SessionFilter {
  /** Words of the title or of any message; null for all. */
  readonly query: string | null;
  readonly projectId: string | null;
  readonly profile: string | null;
  readonly archived: boolean;
  readonly limit: number;
  readonly cursor: string | null;
}

const cursorSchema = jsonColumn(z.tuple([z.union([z.literal(0), z.literal(1)]), z.number(), z.string().max(48)]));

/** Throws `invalid_request` for a cursor that is not one of ours. */
export async function listSessions(room: Pick<SessionsRoom, "database">, filter: SessionFilter): Promise<SessionList> {
  const conditions = ["s.hidden = 0", "s.archived = ?"];
  const args: (string | number)[] = [filter.archived ? 1 : 0];
  const add = (condition: string, ...values: readonly (string | number)[]): void => {
    conditions.push(condition);
    args.push(...values);
  };
  if (filter.projectId !== null) add("s.project_id = ?", filter.projectId);
  if (filter.profile !== null) add("s.profile = ?", filter.profile);
  if (filter.query !== null && filter.query.trim() !== "") addWords(filter.query.trim(), add);
  if (filter.cursor !== null) add("(s.pinned, s.updated_at, s.session_id) < (?, ?, ?)", ...parseListCursor(filter.cursor));
  const sql = `${SELECT_SUMMARY} WHERE ${conditions.join(" AND ")} ORDER BY s.pinned DESC, s.updated_at DESC, s.session_id DESC LIMIT ?`;
  const [found] = await room.database.read([{ sql, args: [...args, filter.limit + 1] satisfies InArgs }]);
  const rows = (found?.rows ?? []).map(parseSummary);
  const sessions = rows.slice(0, filter.limit);
  const last = sessions.at(-1);
  return { sessions, next_cursor: rows.length > filter.limit && last !== undefined ? listCursor(last) : null };
}

function addWords(text: string, add: (condition: string, ...values: readonly string[]) => void): void {
  const pattern = containsPattern(text);
  const words = searchQuery(text);
  if (words === null) {
    add("s.title LIKE ? ESCAPE '\\'", pattern);
    return;
  }
  add(
    `(s.title LIKE ? ESCAPE '\\' OR s.session_id IN (
       SELECT t.session_id FROM search_index i JOIN search_rows t ON t.row_id = i.rowid JOIN runs r ON r.run_id = t.run_id
       WHERE search_index MATCH ? AND r.rewind IS NULL))`,
    pattern,
    words,
  );
}

function listCursor(session: SessionSummary): string {
  return Buffer.from(JSON.stringify([session.pinned ? 1 : 0, session.updated_at, session.session_id])).toString("base64url");
}

function parseListCursor(text: string): readonly (string | number)[] {
  const parsed = cursorSchema.safeParse(Buffer.from(text, "base64url").toString("utf8"));
  if (parsed.success) return parsed.data;
  throw new AppError("invalid_request", "The cursor is not one of this list.", { issues: [{ path: "cursor", message: "not a cursor of this list" }] });
}
