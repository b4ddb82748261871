/**
 * Changes of a session's own facts. The row and the event that says so are one transaction; what is
 * given as it is already changes nothing and says nothing. A title that a person gave is theirs: the
 * row remembers it, and no automatic title replaces it.
 */
import type { InStatement } from "@libsql/client";
import type { SessionSummary } from "#protocol/session-shapes";
import { requireTitle } from "./create-session";
import { requireProject } from "./projects";
import { requireFolder, requireProfile, requireProvider, type SessionDefaults } from "./session-defaults";
import { readSummary } from "./session-summary";
import { isRefused, refuseWhen, sessionNotFound, type SessionsRoom } from "./sessions-room";

/** `undefined` leaves a fact as it is; null takes it away where that means something. */
export interface SessionChanges {
  readonly title?: string | undefined;
  readonly profile?: string | undefined;
  readonly project_id?: string | null | undefined;
  readonly workspace?: string | undefined;
  readonly provider?: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly pinned?: boolean | undefined;
  readonly archived?: boolean | undefined;
  /** Not part of what a summary shows; null is the model's default. */
  readonly reasoning?: string | null | undefined;
}

const FACTS = ["profile", "project_id", "workspace", "provider", "model", "pinned", "archived"] as const;

/** Throws `session_not_found`, `profile_not_found`, `not_found` (project), `invalid_request` (title, provider, workspace). */
export async function patchSession(room: SessionsRoom, defaults: SessionDefaults, sessionId: string, wanted: SessionChanges): Promise<SessionSummary> {
  const before = await readSummary(room, sessionId);
  if (wanted.profile !== undefined) await requireProfile(defaults, wanted.profile);
  await requireProvider(defaults, wanted.profile ?? before.profile, wanted.provider);
  if (typeof wanted.project_id === "string") await requireProject(room, wanted.project_id);
  const workspace = wanted.workspace === undefined ? {} : { workspace: await requireFolder(wanted.workspace) };
  const statements = [...titleStatements(room, before, wanted.title), ...factStatements(room, before, { ...wanted, ...workspace }), ...reasoningStatements(before, wanted.reasoning)];
  if (statements.length === 0) return before;
  try {
    await room.journal.transact([refuseWhen("NOT EXISTS (SELECT 1 FROM sessions WHERE session_id = ?)", [sessionId]), ...statements]);
  } catch (error) {
    if (isRefused(error)) throw sessionNotFound();
    throw error;
  }
  return readSummary(room, sessionId);
}

function titleStatements(room: SessionsRoom, before: SessionSummary, wanted: string | undefined): readonly InStatement[] {
  if (wanted === undefined) return [];
  const title = requireTitle(room.redactor.text(wanted));
  const remember = { sql: "UPDATE sessions SET title = ?, title_source = 'user' WHERE session_id = ?", args: [title, before.session_id] };
  if (title === before.title) return [remember];
  return [remember, ...room.journal.sessionLogStatements(before.session_id, { type: "title.updated", payload: { title, source: "user", confidence: 1 } })];
}

function factStatements(room: SessionsRoom, before: SessionSummary, wanted: SessionChanges): readonly InStatement[] {
  const changed = FACTS.filter((name) => wanted[name] !== undefined && wanted[name] !== before[name]);
  if (changed.length === 0) return [];
  const values = changed.map((name) => wanted[name]);
  const payload = Object.fromEntries(changed.map((name, index) => [name, values[index]]));
  return [
    {
      sql: `UPDATE sessions SET ${changed.map((name) => `${name} = ?`).join(", ")} WHERE session_id = ?`,
      args: [...values.map((value) => (typeof value === "boolean" ? Number(value) : (value ?? null))), before.session_id],
    },
    ...room.journal.sessionLogStatements(before.session_id, { type: "session.updated", payload }),
  ];
}

function reasoningStatements(before: SessionSummary, wanted: string | null | undefined): readonly InStatement[] {
  return wanted === undefined ? [] : [{ sql: "UPDATE sessions SET reasoning = ? WHERE session_id = ?", args: [wanted, before.session_id] }];
}
