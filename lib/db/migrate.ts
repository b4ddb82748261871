/**
 * Brings a database to the version of this program.
 *
 * All missing migrations are applied in one transaction that holds SQLite's write lock from its
 * start, and what is missing is read inside it: two processes that start at one moment both end
 * well, and a failure leaves the version that was there. Foreign keys are off meanwhile, because a
 * rebuilt table would delete its children by cascade, and are checked before the commit.
 * A database that knows a migration which we do not is of a newer version and is not touched.
 * The bookkeeping is Drizzle's own table, so that its tools read it too.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Connection } from "./connection";
import { DatabaseError } from "./database-error";

const folderSchema = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) });

interface Migration {
  readonly tag: string;
  readonly when: number;
}

const TABLE = "__drizzle_migrations";

/** True when every migration of the folder is applied; throws when the database is newer or foreign. */
export function isMigrated(connection: Connection, folder: string, path: string): boolean {
  const tables = connection.run("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  if (tables.rows.length === 0) return false;
  if (!tables.rows.some((row) => row["name"] === TABLE)) throw new DatabaseError("foreign", path);
  return missing(folder, applied(connection), path).length === 0;
}

/** Applies what is missing. Throws the engine's error when locked: the caller waits and calls again. */
export function migrateDatabase(connection: Connection, folder: string, path: string): void {
  connection.run("PRAGMA foreign_keys = OFF");
  try {
    connection.transaction("write", () => applyMissing(connection, folder, path));
  } finally {
    connection.run("PRAGMA foreign_keys = ON");
  }
}

function applyMissing(connection: Connection, folder: string, path: string): void {
  connection.run(`CREATE TABLE IF NOT EXISTS ${TABLE} (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)`);
  const todo = missing(folder, applied(connection), path);
  for (const migration of todo) {
    const text = readFileSync(join(folder, `${migration.tag}.sql`), "utf8");
    for (const statement of text.split("--> statement-breakpoint")) connection.run(statement);
    const hash = createHash("sha256").update(text).digest("hex");
    connection.run({ sql: `INSERT INTO ${TABLE} (hash, created_at) VALUES (?, ?)`, args: [hash, migration.when] });
  }
  if (todo.length === 0) return;
  const broken = connection.run("PRAGMA foreign_key_check");
  if (broken.rows.length > 0) throw new DatabaseError("corrupt", path, new Error(`foreign keys broken in ${String(broken.rows[0]?.[0])}`));
}

function applied(connection: Connection): readonly number[] {
  return connection.run(`SELECT created_at FROM ${TABLE} ORDER BY created_at`).rows.map((row) => Number(row[0]));
}

function missing(folder: string, done: readonly number[], path: string): readonly Migration[] {
  const known = folderSchema.parse(JSON.parse(readFileSync(join(folder, "meta", "_journal.json"), "utf8"))).entries;
  const times = new Set(known.map((migration) => migration.when));
  if (done.some((when) => !times.has(when))) throw new DatabaseError("newer", path);
  return known.filter((migration) => !done.includes(migration.when));
}
