import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "./database";
import { statementOf } from "./database";
import { constraintOf, DatabaseError } from "./database-error";
import { makePlace, runOther, type Place } from "./database.fixture";
import { openDatabase } from "./open-database";
import { projects } from "./schema";

let place: Place;
let opened: Database[];
beforeEach(() => {
  place = makePlace();
  opened = [];
});
afterEach(() => {
  for (const database of opened) database.close();
  place.remove();
});

async function open(settings: { readonly lockWaitMs?: number } = {}): Promise<Database> {
  const database = await openDatabase({ url: place.url, ...settings });
  opened.push(database);
  return database;
}

const insertSession = (id: string) => ({
  sql: "INSERT INTO sessions (session_id, title, title_source, profile, workspace, created_at, updated_at) VALUES (?, 't', 'none', 'p', '/', 1, 1)",
  args: [id],
});

async function settingsOf(database: Database): Promise<unknown[]> {
  const results = [];
  for (const name of ["journal_mode", "synchronous", "foreign_keys", "busy_timeout", "wal_autocheckpoint"]) {
    results.push((await database.execute(`PRAGMA ${name}`)).rows[0]?.[0]);
  }
  return results;
}

describe("a connection", () => {
  it("keeps its settings through a hundred transactions, failed ones too", async () => {
    const database = await open();
    expect(await settingsOf(database)).toEqual(["wal", 2, 1, 20, 4000]);
    await database.execute(insertSession("ses_1"));
    for (let count = 0; count < 100; count += 1) {
      const refused = database.batch([insertSession(`ses_x${count}`), insertSession("ses_1")]);
      await expect(refused).rejects.toSatisfy((error) => constraintOf(error) === "sessions.session_id");
      await database.read(["SELECT 1", "SELECT 2"]);
    }
    await expect(database.execute("SELECT nonsense FROM nowhere")).rejects.toThrow(/no such table/);
    const guard = { sql: "SELECT json(CASE WHEN ? = 1 THEN '1' ELSE 'refused' END)", args: [2] };
    for (let count = 0; count < 3; count += 1) {
      await expect(database.batch([guard])).rejects.toThrow(/malformed JSON/);
      await database.batch([{ ...guard, args: [1] }, "UPDATE meta SET value = value"]);
    }
    expect(await settingsOf(database)).toEqual(["wal", 2, 1, 20, 4000]);
    expect((await database.execute("SELECT count(*) FROM sessions")).rows[0]?.[0]).toBe(1);
  });

  it("a deleted session leaves no row in any child table, the search index included", async () => {
    const database = await open();
    await database.batch([
      insertSession("ses_1"),
      "INSERT INTO runs (run_id, session_id, turn_id, source, request, owner_epoch, status, last_seq, started_at, position) VALUES ('run_1', 'ses_1', 't', 's', '{}', 1, 'completed', 1, 1, 1)",
      "INSERT INTO events (session_id, run_id, seq, type, terminal, envelope) VALUES ('ses_1', 'run_1', 1, 'done', 1, '{}')",
      "INSERT INTO run_views (run_id, last_seq, view) VALUES ('run_1', 1, '{}')",
      "INSERT INTO run_view_parts (run_id, part, piece, body) VALUES ('run_1', 0, 0, '{}')",
      "INSERT INTO search_rows (run_id, session_id, body, created_at) VALUES ('run_1', 'ses_1', 'a purple giraffe', 1)",
      "INSERT INTO queue_items (queue_id, session_id, mode, message, created_at, rank) VALUES ('que_1', 'ses_1', 'queue', 'm', 1, 1)",
      "INSERT INTO attachments (attachment_id, session_id, name, mime, size, is_image, created_at) VALUES ('att_1', 'ses_1', 'n', 'm', 1, 0, 1)",
    ]);
    const found = "SELECT count(*) FROM search_index WHERE search_index MATCH 'giraffe'";
    expect((await database.execute(found)).rows[0]?.[0]).toBe(1);
    await database.execute("DELETE FROM sessions WHERE session_id = 'ses_1'");
    for (const table of ["runs", "events", "run_views", "run_view_parts", "search_rows", "queue_items", "attachments"]) {
      expect([table, (await database.execute(`SELECT count(*) FROM ${table}`)).rows[0]?.[0]]).toEqual([table, 0]);
    }
    expect((await database.execute(found)).rows[0]?.[0]).toBe(0);
    expect((await database.execute("PRAGMA foreign_key_check")).rows).toEqual([]);
  });

  it("a read sees one state, and a typed query is a statement or runs by itself", async () => {
    const database = await open();
    const insert = database.orm.insert(projects).values({ project_id: "prj_1", name: "A", color: null, created_at: 1.5 });
    await database.batch([statementOf(insert)]);
    expect(await database.orm.select().from(projects)).toEqual([{ project_id: "prj_1", name: "A", color: null, created_at: 1.5 }]);
    expect(await database.orm.select().from(projects).where(eq(projects.project_id, "prj_2")).get()).toBeUndefined();
  });

  it("the list's version rises with what the list shows, and with nothing else", async () => {
    const database = await open();
    const version = async (): Promise<number> => Number((await database.execute("SELECT value FROM meta WHERE key = 'list_version'")).rows[0]?.[0]);
    const rises = async (sql: string): Promise<boolean> => {
      const before = await version();
      await database.execute(sql);
      return (await version()) > before;
    };
    const run = "INSERT INTO runs (run_id, session_id, turn_id, source, request, owner_epoch, status, last_seq, started_at, position) VALUES ('run_1', 'ses_1', 't', 's', '{}', 1, 'running', 1, 1, 1)";
    expect(await rises("INSERT INTO sessions (session_id, title, title_source, profile, workspace, created_at, updated_at) VALUES ('ses_1', 't', 'none', 'p', '/', 1, 1)")).toBe(true);
    expect(await rises(run)).toBe(true);
    expect(await rises("UPDATE runs SET last_seq = 2")).toBe(false);
    expect(await rises("UPDATE runs SET status = 'running', last_seq = 3")).toBe(false);
    expect(await rises("UPDATE runs SET status = 'completed'")).toBe(true);
    expect(await rises("UPDATE sessions SET title = 'u'")).toBe(true);
    expect(await rises("UPDATE sessions SET title = 'u', log_seq = 9, reasoning = 'high'")).toBe(false);
    expect(await rises("UPDATE sessions SET pinned = 1")).toBe(true);
    expect(await rises("DELETE FROM sessions")).toBe(true);
  });

  it("file and folder are the person's alone", async () => {
    await open();
    expect(statSync(place.file).mode & 0o777).toBe(0o600);
    expect(statSync(`${place.file}-wal`).mode & 0o777).toBe(0o600);
    const nested = await openDatabase({ url: `file:${join(place.folder, "state", "deep", "hermes.db")}` });
    opened.push(nested);
    expect(statSync(join(place.folder, "state")).mode & 0o777).toBe(0o700);
  });

  it("opens a migrated database in no time", async () => {
    (await open()).close();
    const begun = performance.now();
    await open();
    expect(performance.now() - begun).toBeLessThan(500);
  });
});

describe("a file that cannot be used: one sentence, and nothing is touched", () => {
  const failureOf = (action: Promise<unknown>): Promise<unknown> => action.then(() => "it went well", (error: unknown) => (error instanceof DatabaseError ? error.failure : error));

  it("garbage", async () => {
    const garbage = Buffer.from("this is no database ".repeat(500));
    writeFileSync(place.file, garbage);
    expect(await failureOf(open())).toBe("corrupt");
    expect(readFileSync(place.file).equals(garbage)).toBe(true);
  });

  it("damaged pages", async () => {
    const database = await open();
    for (let count = 0; count < 200; count += 1) await database.execute(insertSession(`ses_${count}`));
    await database.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    const bytes = readFileSync(place.file);
    bytes.fill(0xff, 4096);
    writeFileSync(place.file, bytes);
    const outcome = await failureOf(open().then((damaged) => damaged.batch([insertSession("ses_new")])));
    expect(outcome).toBe("corrupt");
  });

  it("another program's database", async () => {
    const client = createClient({ url: place.url });
    await client.execute("CREATE TABLE recipes (name text)");
    client.close();
    expect(await failureOf(open())).toBe("foreign");
  });

  it("no file can be there", async () => {
    writeFileSync(join(place.folder, "plain"), "");
    expect(await failureOf(openDatabase({ url: `file:${join(place.folder, "plain", "hermes.db")}` }))).toBe("unreachable");
    expect(await failureOf(openDatabase({ url: `file:${place.folder}` }))).toBe("unreachable");
    expect(await failureOf(openDatabase({ url: "libsql://somewhere.example" }))).toBe("unreachable");
  });

  it("a full disk: the transaction leaves nothing, and goes through once there is room", async () => {
    const database = await open();
    await database.execute("PRAGMA max_page_count = 1");
    const big = { sql: "INSERT INTO projects (project_id, name, created_at) VALUES ('prj_big', ?, 1)", args: ["x".repeat(500_000)] };
    expect(await failureOf(database.batch([insertSession("ses_1"), big]))).toBe("full");
    expect((await database.execute("SELECT count(*) FROM sessions")).rows[0]?.[0]).toBe(0);
    await database.execute("PRAGMA max_page_count = 1000000");
    await database.batch([insertSession("ses_1"), big]);
    expect((await database.execute("SELECT count(*) FROM sessions")).rows[0]?.[0]).toBe(1);
  });

  it("a file that may only be read", async () => {
    (await open()).close();
    const isRoot = process.getuid?.() === 0;
    chmodSync(place.folder, 0o755);
    chmodSync(place.file, 0o444);
    const source = `import { openDatabase } from "#db/open-database";
      try { const d = await openDatabase({ url: ${JSON.stringify(place.url)} }); await d.batch(["UPDATE meta SET value = 9"]); console.log("went well"); }
      catch (error) { console.log(error.failure, error.message); }`;
    const other = runOther(place, source, isRoot ? { uid: 65_534 } : {});
    await other.ended;
    expect(other.output()).toMatch(/^(read_only|unreachable) The database/);
  });
});

describe("a lock of another process", () => {
  const holdFor = (milliseconds: number): string => `import { createClient } from "@libsql/client";
    const client = createClient({ url: ${JSON.stringify(place.url)} });
    const lock = await client.transaction("write");
    console.log("locked");
    setTimeout(async () => { await lock.rollback(); client.close(); console.log("free"); }, ${milliseconds});`;

  it("is waited for while the event loop goes on", async () => {
    const database = await open();
    const other = runOther(place, holdFor(1500).replace('"@libsql/client"', JSON.stringify(import.meta.resolve("@libsql/client"))));
    await other.said("locked");
    let longest = 0;
    let last = performance.now();
    const ticking = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const begun = performance.now();
    await database.batch([insertSession("ses_1")]);
    clearInterval(ticking);
    expect(performance.now() - begun).toBeGreaterThan(200);
    expect(longest).toBeLessThan(500);
    await other.ended;
  });

  it("that is never let go ends in one sentence", async () => {
    const database = await open({ lockWaitMs: 200 });
    const other = runOther(place, holdFor(60_000).replace('"@libsql/client"', JSON.stringify(import.meta.resolve("@libsql/client"))));
    await other.said("locked");
    await expect(database.batch([insertSession("ses_1")])).rejects.toThrow(/locked by another program/);
    expect((await database.execute("SELECT count(*) FROM sessions")).rows[0]?.[0]).toBe(0);
    other.process.kill("SIGKILL");
    await other.ended;
    await database.batch([insertSession("ses_1")]);
  });
});
