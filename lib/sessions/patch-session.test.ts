import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSession } from "./create-session";
import { patchSession } from "./patch-session";
import { moveSessionsToProfile } from "./profile-sessions";
import { createProject, deleteProject, listProjects, patchProject } from "./projects";
import {  } from "./read-marks";
import { readSummary } from "./session-summary";
import { openTestRoom, type TestRoom } from "./sessions.fixture";

let bench: TestRoom;
beforeEach(async () => {
  bench = await openTestRoom();
});
afterEach(() => bench.close());

const log = async (session: string): Promise<readonly unknown[]> => (await bench.journal.readSessionLog(session)).map((event) => [event.type, event.payload]);

describe("a session's own facts", () => {
  test("B265: a title that a person gave is theirs, one line, at most 200 characters", async () => {
    const session = await bench.session();
    expect((await readSummary(bench.room, session)).title).toBe("New session");
    await patchSession(bench.room, bench.defaults, session, { title: `  ${"kite ".repeat(100)}\n<b>` });
    const { title } = await readSummary(bench.room, session);
    expect([...title].length).toBeLessThanOrEqual(200);
    expect(title).not.toMatch(/\n/);
    const { rows } = await bench.database.execute({ sql: "SELECT title_source FROM sessions WHERE session_id = ?", args: [session] });
    expect(rows[0]?.["title_source"]).toBe("user");
    expect(await log(session)).toEqual([["title.updated", { title, source: "user", confidence: 1 }]]);
    await expect(patchSession(bench.room, bench.defaults, session, { title: " \n " })).rejects.toMatchObject({ code: "invalid_request" });
  });

  test("what changed is one event with exactly that; what stayed says nothing", async () => {
    const session = await bench.session("Talk");
    await patchSession(bench.room, bench.defaults, session, { pinned: true, archived: false, model: "fam:27b-q8_0", provider: "ollama" });
    await patchSession(bench.room, bench.defaults, session, { pinned: true });
    await patchSession(bench.room, bench.defaults, session, { model: null, provider: null });
    expect(await log(session)).toEqual([
      ["session.updated", { provider: "ollama", model: "fam:27b-q8_0", pinned: true }],
      ["session.updated", { provider: null, model: null }],
    ]);
  });

  test("profile, project, provider and folder must be there; a refusal changes nothing", async () => {
    const session = await bench.session("Talk");
    const before = await readSummary(bench.room, session);
    const wrong = [
      { changes: { profile: "nobody" }, code: "profile_not_found" },
      { changes: { project_id: "prj_none" }, code: "not_found" },
      { changes: { provider: "nobody" }, code: "invalid_request" },
      { changes: { workspace: "relative/path" }, code: "invalid_request" },
      { changes: { workspace: join(bench.folder, "missing") }, code: "invalid_request" },
      { changes: { workspace: join(bench.folder, "hermes.db") }, code: "invalid_request" },
    ];
    for (const { changes, code } of wrong) {
      await expect(patchSession(bench.room, bench.defaults, session, { pinned: true, ...changes })).rejects.toMatchObject({ code });
      await expect(createSession(bench.room, bench.defaults, changes)).rejects.toMatchObject({ code });
    }
    expect(await readSummary(bench.room, session)).toEqual(before);
    await expect(patchSession(bench.room, bench.defaults, "ses_none", { pinned: true })).rejects.toMatchObject({ code: "session_not_found" });
  });

  test("a project that is deleted lets its sessions go, and each of them says so", async () => {
    const project = await createProject(bench.room, { name: "House", color: "#3366ff" });
    expect(await patchProject(bench.room, project.project_id, { color: null })).toEqual({ ...project, color: null });
    const session = (await createSession(bench.room, bench.defaults, { project_id: project.project_id })).session_id;
    const version = await bench.journal.listVersion();
    await deleteProject(bench.room, project.project_id);
    expect(await listProjects(bench.room)).toEqual([]);
    expect((await readSummary(bench.room, session)).project_id).toBeNull();
    expect(await log(session)).toEqual([["session.updated", { project_id: null }]]);
    expect(await bench.journal.listVersion()).toBeGreaterThan(version);
    await expect(deleteProject(bench.room, project.project_id)).rejects.toMatchObject({ code: "not_found" });
  });

  test("sessions follow their profile, but not while one of them is at work", async () => {
    const session = (await createSession(bench.room, bench.defaults, { profile: "work" })).session_id;
    await moveSessionsToProfile(bench.room, "work", "play");
    expect((await readSummary(bench.room, session)).profile).toBe("play");
    await bench.run(session, []);
    await expect(moveSessionsToProfile(bench.room, "play", "work")).rejects.toMatchObject({ code: "run_active" });
    expect((await readSummary(bench.room, session)).profile).toBe("play");
  });
});
