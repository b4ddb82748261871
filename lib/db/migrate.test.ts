import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "./database";
import { makePlace, migrationsUpTo, readFolderJournal, runOther, type Place } from "./database.fixture";
import { findMigrationsFolder } from "./migrations-folder";
import { openDatabase } from "./open-database";
import * as schema from "./schema";

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const TABLES = ["sessions", "runs", "events", "run_views", "search_rows", "queue_items"];

/** Three sessions of ten messages of fifty events. */
async function fill(database: Database): Promise<void> {
  const statements = [];
  for (let session = 0; session < 3; session += 1) {
    const id = `ses_${session}`;
    statements.push(
      `INSERT INTO sessions (session_id, title, title_source, profile, workspace, created_at, updated_at) VALUES ('${id}', 'Talk ${session} ü🧪', 'user', 'p', '/', 1, 1)`,
      `INSERT INTO queue_items (queue_id, session_id, mode, message, created_at, rank) VALUES ('que_${session}', '${id}', 'queue', 'next', 1, 1)`,
    );
    for (let run = 0; run < 10; run += 1) {
      const runId = `run_${session}_${run}`;
      statements.push(
        `INSERT INTO runs (run_id, session_id, turn_id, source, request, owner_epoch, status, last_seq, pending_approval_id, started_at, position)
         VALUES ('${runId}', '${id}', 't', 's', '{}', 1, '${run === 9 ? "awaiting_approval" : "completed"}', 50, ${run === 9 ? "'apr_1'" : "NULL"}, 1, ${run})`,
        `INSERT INTO run_views (run_id, last_seq, view) VALUES ('${runId}', 50, '{"run":"${runId}"}')`,
        `INSERT INTO search_rows (run_id, session_id, body, created_at) VALUES ('${runId}', '${id}', 'words of ${runId} giraffe', 1)`,
      );
      for (let seq = 1; seq <= 50; seq += 1) {
        statements.push(
          `INSERT INTO events (session_id, run_id, seq, type, terminal, envelope) VALUES ('${id}', '${runId}', ${seq}, 'progress', 0, '{"text":"${runId} says ${seq}"}')`,
        );
      }
    }
  }
  await database.batch(statements);
}

async function contentOf(database: Database): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  for (const table of TABLES) {
    const { rows, columns } = await database.execute(`SELECT * FROM ${table} ORDER BY 1`);
    const known = columns.filter((column) => column !== "added_later");
    content[table] = `${rows.length} ${createHash("sha256").update(JSON.stringify(rows.map((row) => known.map((column) => row[column])))).digest("hex")}`;
  }
  return content;
}

describe("migrations", () => {
  it("go on from every earlier version and keep every row and text (B117)", async () => {
    const versions = readFolderJournal().entries.length;
    for (let version = 1; version < versions; version += 1) {
      const url = `file:${join(place.folder, `from-${version}.db`)}`;
      const before = await openDatabase({ url, migrationsFolder: migrationsUpTo(place, version) });
      await fill(before);
      const expected = await contentOf(before);
      before.close();
      const after = await openDatabase({ url });
      expect(await contentOf(after)).toEqual(expected);
      expect((await after.execute("SELECT count(*) FROM search_index WHERE search_index MATCH 'giraffe'")).rows[0]?.[0]).toBe(30);
      expect((await after.execute("PRAGMA foreign_key_check")).rows).toEqual([]);
      expect((await after.execute("PRAGMA foreign_keys")).rows[0]?.[0]).toBe(1);
      after.close();
    }
  });

  it("a table that is built anew takes no child row along", async () => {
    const rebuild = `CREATE TABLE __new_sessions AS SELECT * FROM sessions;
--> statement-breakpoint
DROP TABLE sessions;
--> statement-breakpoint
CREATE TABLE sessions (session_id text PRIMARY KEY NOT NULL, title text NOT NULL, title_source text NOT NULL, profile text NOT NULL, project_id text, workspace text NOT NULL,
  provider text, model text, reasoning text, pinned integer DEFAULT false NOT NULL, archived integer DEFAULT false NOT NULL, yolo integer DEFAULT false NOT NULL,
  parent_session_id text, hidden integer DEFAULT false NOT NULL, created_at real NOT NULL, updated_at real NOT NULL, last_message_at real, preview text,
  log_seq integer DEFAULT 0 NOT NULL, seen_position integer DEFAULT 0 NOT NULL, goal text, queue_held text, approved_patterns text DEFAULT '[]' NOT NULL, added_later text);
--> statement-breakpoint
INSERT INTO sessions SELECT *, 'new' FROM __new_sessions;
--> statement-breakpoint
DROP TABLE __new_sessions;`;
    const before = await openDatabase({ url: place.url });
    await fill(before);
    const expected = await contentOf(before);
    before.close();
    const after = await openDatabase({ url: place.url, migrationsFolder: migrationsUpTo(place, 99, [rebuild]) });
    expect(await contentOf(after)).toEqual(expected);
    expect(expected["events"]).toMatch(/^1500 /);
    after.close();
  });

  it("one that fails leaves the version that was there", async () => {
    const broken = "CREATE TABLE half (a text);\n--> statement-breakpoint\nINSERT INTO nowhere VALUES (1);";
    const orphan = "DELETE FROM sessions;\n";
    const before = await openDatabase({ url: place.url });
    await fill(before);
    const expected = await contentOf(before);
    before.close();
    await expect(openDatabase({ url: place.url, migrationsFolder: migrationsUpTo(place, 99, [broken]) })).rejects.toThrow(/nowhere/);
    await expect(openDatabase({ url: place.url, migrationsFolder: migrationsUpTo(place, 99, [orphan]) })).rejects.toThrow(/damaged/);
    const after = await openDatabase({ url: place.url });
    expect(await contentOf(after)).toEqual(expected);
    expect((await after.execute("SELECT name FROM sqlite_master WHERE name = 'half'")).rows).toEqual([]);
    after.close();
  });

  it("a newer version's database is refused with one sentence and not touched", async () => {
    const newer = migrationsUpTo(place, 99, ["CREATE TABLE future (a text);"]);
    (await openDatabase({ url: place.url, migrationsFolder: newer })).close();
    const bytes = readFileSync(place.file);
    await expect(openDatabase({ url: place.url })).rejects.toThrow(/newer version of Hermes; it was left as it is/);
    expect(readFileSync(place.file).equals(bytes)).toBe(true);
  });

  it("processes that start at one moment all end well", async () => {
    const begin = join(place.folder, "begin");
    const source = `import { existsSync } from "node:fs";
      import { openDatabase } from "#db/open-database";
      console.log("ready");
      while (!existsSync(${JSON.stringify(begin)})) await new Promise((resolve) => setTimeout(resolve, 1));
      const database = await openDatabase({ url: ${JSON.stringify(place.url)} });
      const applied = await database.execute("SELECT count(*) FROM __drizzle_migrations");
      console.log("applied " + applied.rows[0][0]);
      database.close();`;
    const others = [1, 2, 3].map(() => runOther(place, source));
    await Promise.all(others.map((other) => other.said("ready")));
    writeFileSync(begin, "");
    expect(await Promise.all(others.map((other) => other.ended))).toEqual([0, 0, 0]);
    for (const other of others) expect(other.output()).toContain(`applied ${readFolderJournal().entries.length}`);
  });

  it("make exactly the tables and columns of the schema", async () => {
    const database = await openDatabase({ url: place.url });
    for (const table of Object.values(schema)) {
      const { name, columns } = getTableConfig(table);
      const made = await database.execute(`SELECT name, "notnull" FROM pragma_table_info('${name}') ORDER BY name`);
      const expected = columns.map((column) => ({ name: column.name, notnull: column.notNull ? 1 : 0 }));
      expect([name, made.rows.map((row) => ({ ...row }))]).toEqual([name, expected.sort((a, b) => (a.name < b.name ? -1 : 1))]);
    }
    database.close();
  });

  it("are Drizzle's own: its bookkeeping says what is applied", async () => {
    (await openDatabase({ url: place.url })).close();
    const client = createClient({ url: place.url });
    const rows = await client.execute("SELECT created_at FROM __drizzle_migrations ORDER BY created_at");
    expect(rows.rows.map((row) => Number(row[0]))).toEqual(readFolderJournal().entries.map((entry) => entry.when));
    client.close();
  });

  it("are found beside the source, above a bundle, and in the working directory", () => {
    const root = join(place.folder, "project");
    mkdirSync(join(root, "drizzle", "meta"), { recursive: true });
    mkdirSync(join(root, "dist"));
    writeFileSync(join(root, "drizzle", "meta", "_journal.json"), "{}");
    expect(findMigrationsFolder(pathToFileURL(join(root, "dist", "runner.mjs")).href)).toBe(join(root, "drizzle"));
    expect(findMigrationsFolder("file:///nowhere/else.js")).toBe(join(process.cwd(), "drizzle"));
    expect(findMigrationsFolder("webpack://bundle/lib/db.js")).toBe(join(process.cwd(), "drizzle"));
  });
});
