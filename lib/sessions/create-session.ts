import { AppError } from "#protocol/errors";
import type { SessionSummary } from "#protocol/session-shapes";
import { insertSession } from "./new-session";
import { requireProject } from "./projects";
import { requireFolder, requireProfile, requireProvider, type SessionDefaults } from "./session-defaults";
import { readSummary } from "./session-summary";
import { cleanTitle } from "./session-title";
import type { SessionsRoom } from "./sessions-room";

export interface SessionWishes {
  readonly title?: string | null | undefined;
  readonly profile?: string | null | undefined;
  readonly project_id?: string | null | undefined;
  readonly workspace?: string | null | undefined;
  readonly provider?: string | null | undefined;
  readonly model?: string | null | undefined;
}

/** Throws `profile_not_found`, `not_found` (project), `invalid_request` (provider, workspace). A blank title is none. */
export async function createSession(room: SessionsRoom, defaults: SessionDefaults, wishes: SessionWishes): Promise<SessionSummary> {
  const profileName = wishes.profile ?? "default";
  const profile = await requireProfile(defaults, profileName);
  await requireProvider(defaults, profileName, wishes.provider);
  const projectId = wishes.project_id ?? null;
  if (projectId !== null) await requireProject(room, projectId);
  const named = wishes.workspace ?? profile.workspace;
  const session_id = room.createId("ses");
  await room.journal.transact([
    insertSession({
      session_id,
      title: cleanTitle(room.redactor.text(wishes.title ?? "")),
      profile: profileName,
      project_id: projectId,
      workspace: named === null ? await defaults.workspace() : await requireFolder(named),
      provider: wishes.provider ?? null,
      model: wishes.model ?? null,
      parent_session_id: null,
      hidden: false,
      now: room.now(),
    }),
  ]);
  return readSummary(room, session_id);
}

/** A title that a person gave; throws `invalid_request` for a blank one. */
export function requireTitle(text: string): string {
  const title = cleanTitle(text);
  if (title === null) throw new AppError("invalid_request", "A title needs words.", { issues: [{ path: "title", message: "is blank" }] });
  return title;
}
