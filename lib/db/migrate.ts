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
import type { Client, Transaction } from "@libsql/client";
import { z } from "zod";
import { DatabaseError } from "./database-error";

const folderSchema = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) });

interface Migration {
  readonly tag: string;
  readonly when: number;
}

const TABLE = "__drizzle_migrations";
const APPLIED = `SELECT created_at FROM ${TABLE} ORDER BY created_at`;

/** True when every migration of the folder is applied; throws when the database is newer or foreign. */
export async function isMigrated(client: Client, folder: string, path: string): Promise<boolean> {
  const tables = await client.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  if (tables.rows.length === 0) return false;
  if (!tables.rows.some((row) => row["name"] === TABLE)) throw new DatabaseError("foreign", path);
  return missing(folder, (await client.execute(APPLIED)).rows.map((row) => Number(row[0])), path).length === 0;
}

/** Applies what is missing. Throws the driver's error when locked: the caller waits and calls again. */
export async function migrateDatabase(client: Client, folder: string, path: string): Promise<void> {
  await client.execute("PRAGMA foreign_keys = OFF");
  try {
    const transaction = await client.transaction("write");
    try {
      await applyMissing(transaction, folder, path);
      await transaction.commit();
    } finally {
      transaction.close();
    }
  } finally {
    await client.execute("PRAGMA foreign_keys = ON");
  }
}

async function applyMissing(transaction: Transaction, folder: string, path: string): Promise<void> {
  await transaction.execute(`CREATE TABLE IF NOT EXISTS ${TABLE} (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)`);
  const applied = (await transaction.execute(APPLIED)).rows.map((row) => Number(row[0]));
  const todo = missing(folder, applied, path);
  for (const migration of todo) {
    const text = readFileSync(join(folder, `${migration.tag}.sql`), "utf8");
    for (const statement of text.split("--> statement-breakpoint")) await transaction.execute(statement);
    const hash = createHash("sha256").update(text).digest("hex");
    await transaction.execute({ sql: `INSERT INTO ${TABLE} (hash, created_at) VALUES (?, ?)`, args: [hash, migration.when] });
  }
  if (todo.length === 0) return;
  const broken = await transaction.execute("PRAGMA foreign_key_check");
  if (broken.rows.length > 0) throw new DatabaseError("corrupt", path, new Error(`foreign keys broken in ${String(broken.rows[0]?.[0])}`));
}

function missing(folder: string, applied: readonly number[], path: string): readonly Migration[] {
  const known = folderSchema.parse(JSON.parse(readFileSync(join(folder, "meta", "_journal.json"), "utf8"))).entries;
  const times = new Set(known.map((migration) => migration.when));
  if (applied.some((when) => !times.has(when))) throw new DatabaseError("newer", path);
  const done = new Set(applied);
  return known.filter((migration) => !done.has(migration.when));
}
