/** Projects: folders for sessions in the list. Deleting one keeps its sessions, and says so in each of their logs. */
import { z } from "zod";
import { AppError } from "#protocol/errors";
import type { SessionsRoom } from "./sessions-room";

const projectSchema = z.object({ project_id: z.string(), name: z.string(), color: z.string().nullable() });
export type Project = z.infer<typeof projectSchema>;

const COLUMNS = "project_id, name, color";

export async function listProjects(room: Pick<SessionsRoom, "database">): Promise<readonly Project[]> {
  const [found] = await room.database.read([{ sql: `SELECT ${COLUMNS} FROM projects ORDER BY name COLLATE NOCASE, project_id`, args: [] }]);
  return (found?.rows ?? []).map((row) => projectSchema.parse(row));
}

/** Throws `not_found`. */
export async function requireProject(room: Pick<SessionsRoom, "database">, projectId: string): Promise<Project> {
  const [found] = await room.database.read([{ sql: `SELECT ${COLUMNS} FROM projects WHERE project_id = ?`, args: [projectId] }]);
  const row = found?.rows[0];
  if (row === undefined) throw new AppError("not_found", "There is no such project.");
  return projectSchema.parse(row);
}

export async function createProject(room: SessionsRoom, wishes: { readonly name: string; readonly color: string | null }): Promise<Project> {
  const project = { project_id: room.createId("prj"), ...wishes };
  await room.journal.transact([
    { sql: "INSERT INTO projects (project_id, name, color, created_at) VALUES (?, ?, ?, ?)", args: [project.project_id, project.name, project.color, room.now()] },
  ]);
  return project;
}

/** `undefined` leaves a field as it is. Throws `not_found`. */
export async function patchProject(
  room: SessionsRoom,
  projectId: string,
  wanted: { readonly name?: string | undefined; readonly color?: string | null | undefined },
): Promise<Project> {
  const before = await requireProject(room, projectId);
  const name = wanted.name ?? before.name;
  const color = wanted.color === undefined ? before.color : wanted.color;
  await room.journal.transact([{ sql: "UPDATE projects SET name = ?, color = ? WHERE project_id = ?", args: [name, color, projectId] }]);
  return requireProject(room, projectId);
}

/** Throws `not_found`. */
export async function deleteProject(room: SessionsRoom, projectId: string): Promise<void> {
  await requireProject(room, projectId);
  const [members] = await room.database.read([{ sql: "SELECT session_id FROM sessions WHERE project_id = ?", args: [projectId] }]);
  const sessionIds = (members?.rows ?? []).map((row) => String(row["session_id"]));
  await room.journal.transact([
    // Explicit although the foreign key would do it: the list's version follows updates of the row.
    { sql: "UPDATE sessions SET project_id = NULL WHERE project_id = ?", args: [projectId] },
    ...sessionIds.flatMap((sessionId) => room.journal.sessionLogStatements(sessionId, { type: "session.updated", payload: { project_id: null } })),
    { sql: "DELETE FROM projects WHERE project_id = ?", args: [projectId] },
  ]);
}
