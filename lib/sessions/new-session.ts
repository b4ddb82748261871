/** The row of a new session, as a statement: routes and the host make sessions in transactions of their own. */
import type { InStatement } from "@libsql/client";

/** What a session is called until its first message, or a person, names it. */
export const DEFAULT_TITLE = "New session";

export interface NewSession {
  readonly session_id: string;
  /** Null: named by its first message. */
  readonly title: string | null;
  readonly profile: string;
  readonly project_id: string | null;
  /** Absolute path. */
  readonly workspace: string;
  /** Null: the profile's default, looked up at each start. */
  readonly provider: string | null;
  readonly model: string | null;
  readonly parent_session_id: string | null;
  readonly hidden: boolean;
  /** Unix seconds. */
  readonly now: number;
}

export function insertSession(session: NewSession): InStatement {
  return {
    sql: `INSERT INTO sessions (session_id, title, title_source, profile, project_id, workspace, provider, model,
            parent_session_id, hidden, created_at, updated_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    args: [
      session.session_id,
      session.title ?? DEFAULT_TITLE,
      session.title === null ? "none" : "user",
      session.profile,
      session.project_id,
      session.workspace,
      session.provider,
      session.model,
      session.parent_session_id,
      session.hidden ? 1 : 0,
      session.now,
      session.now,
    ],
  };
}
