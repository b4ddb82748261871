import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { done, failed, status, token } from "#fold/run-story.fixture";
import { listSessions, type SessionFilter } from "./list-sessions";
import { patchSession } from "./patch-session";
import { createProject } from "./projects";
import { markSeen } from "./read-marks";
import { openTestRoom, type TestRoom } from "./sessions.fixture";

const ALL: SessionFilter = { query: null, projectId: null, profile: null, archived: false, limit: 50, cursor: null };
let bench: TestRoom;

beforeEach(async () => {
  bench = await openTestRoom();
});
afterEach(() => bench.close());

async function titles(filter: Partial<SessionFilter> = {}): Promise<readonly string[]> {
  return (await listSessions(bench.room, { ...ALL, ...filter })).sessions.map((session) => session.title);
}

describe("the session list", () => {
  test("pages through every session once, newest first and pinned ones before them", async () => {
    for (let number = 0; number < 7; number += 1) await bench.session(`Session ${number}`);
    const pinned = await bench.session("Pinned");
    await bench.session("Newest");
    await patchSession(bench.room, bench.defaults, pinned, { pinned: true });

    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listSessions>> = await listSessions(bench.room, { ...ALL, limit: 2, cursor });
      seen.push(...page.sessions.map((session) => session.title));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(["Pinned", "Newest", ...[6, 5, 4, 3, 2, 1, 0].map((number) => `Session ${number}`)]);
  });

  test("finds by title and by the words of any message, whatever characters the query holds", async () => {
    const kites = await bench.session("About kites");
    await bench.run(kites, [token("They need wind."), done()], { text: "How do kites fly?" });
    await bench.session("100% sure_thing");
    expect(await titles({ query: "KITES" })).toEqual(["About kites"]);
    expect(await titles({ query: "need win" })).toEqual(["About kites"]);
    expect(await titles({ query: "100%" })).toEqual(["100% sure_thing"]);
    expect(await titles({ query: "sure_" })).toEqual(["100% sure_thing"]);
    for (const query of ['"', "NOT", "body:", "a AND (", "*", "%", "'; --"]) expect(await titles({ query })).toBeInstanceOf(Array);
    expect(await titles({ query: "nothing like it" })).toEqual([]);
  });

  test("keeps archived, other projects, other profiles and hidden sessions apart", async () => {
    const project = await createProject(bench.room, { name: "House", color: null });
    const housed = await bench.session("Housed");
    await patchSession(bench.room, bench.defaults, housed, { project_id: project.project_id });
    const filed = await bench.session("Filed");
    await patchSession(bench.room, bench.defaults, filed, { archived: true });
    const worked = await bench.session("At work");
    await patchSession(bench.room, bench.defaults, worked, { profile: "work" });
    const child = await bench.session("Child");
    await bench.database.execute({ sql: "UPDATE sessions SET hidden = 1 WHERE session_id = ?", args: [child] });

    expect(await titles()).toEqual(["At work", "Housed"]);
    expect(await titles({ archived: true })).toEqual(["Filed"]);
    expect(await titles({ projectId: project.project_id })).toEqual(["Housed"]);
    expect(await titles({ profile: "work" })).toEqual(["At work"]);
  });

  test("shows the status of the active run, usage, and what the person has not seen", async () => {
    const session = await bench.session("Busy");
    const first = await bench.run(session, [token("no"), failed("provider_auth")]);
    let [row] = (await listSessions(bench.room, ALL)).sessions;
    expect(row).toMatchObject({ status: "idle", active_stream_id: null, unread: true, unseen_outcome: "failed", usage: { input_tokens: null } });

    await markSeen(bench.room, session, `${first}:3`);
    [row] = (await listSessions(bench.room, ALL)).sessions;
    expect(row).toMatchObject({ unread: false, unseen_outcome: null });

    const active = await bench.run(session, [status("awaiting_approval")]);
    [row] = (await listSessions(bench.room, ALL)).sessions;
    expect(row).toMatchObject({ status: "awaiting_approval", active_stream_id: active, unread: true, unseen_outcome: null });
  });

  test("a cursor that is not one of the list is refused", async () => {
    for (const cursor of ["x", "bm9wZQ", Buffer.from("[1,2]").toString("base64url"), "../../etc"]) {
      await expect(listSessions(bench.room, { ...ALL, cursor })).rejects.toMatchObject({ code: "invalid_request" });
    }
  });
});
