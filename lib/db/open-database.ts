/**
 * Opens the one database file: WAL, synchronous FULL, foreign keys on, migrated; closed by its last user
 * it is one file again, without a log beside it.
 *
 * One connection serves everything, since the engine works synchronously and more would gain
 * nothing; its settings are applied where it is opened. A lock of another process is waited for by a
 * timer (20 ms inside the engine, 20 ms outside, up to 10 s), so that the event loop goes on; every
 * other failure of the file is a `DatabaseError`.
 */
import { setMaxListeners } from "node:events";
import { setTimeout } from "node:timers/promises";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { InStatement } from "@libsql/client";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { Connection, type StatementResult } from "./connection";
import { asArgument, type Database } from "./database";
import { asDatabaseError, databaseFailureOf, DatabaseError } from "./database-error";
import { isMigrated, migrateDatabase } from "./migrate";
import { findMigrationsFolder } from "./migrations-folder";
import { retryWhileBusy } from "./retry-while-busy";
import * as schema from "./schema";

export interface DatabaseSettings {
  /** A libSQL `file:` URL. */
  readonly url: string;
  readonly migrationsFolder?: string;
  /** How long a lock of another process is waited for. */
  readonly lockWaitMs?: number;
}

const ENGINE_WAIT_MS = 20;
const RETRY_EVERY_MS = 20;
const LOCK_WAIT_MS = 10_000;

/** Reads never wait for a writer; whatever else begins is taken for a write. */
const READS = /^\s*(SELECT|PRAGMA|EXPLAIN)\b/i;

const PRAGMAS = [
  "PRAGMA synchronous = FULL",
  "PRAGMA foreign_keys = ON",
  // 16 MiB of log before it is folded back: hot pages of many runs are then copied once, not each time.
  "PRAGMA wal_autocheckpoint = 4000",
  "PRAGMA journal_size_limit = 67108864",
  "PRAGMA cache_size = -8000",
] as const;

/** Errors: `DatabaseError` for whatever is wrong with the file; it is never left half-migrated. */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const path = pathOf(settings.url);
  const database = new LibsqlDatabase(path, settings.lockWaitMs ?? LOCK_WAIT_MS);
  try {
    await database.prepare(settings.migrationsFolder ?? findMigrationsFolder());
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

class LibsqlDatabase implements Database {
  readonly path: string;
  readonly orm: Database["orm"];
  readonly #lockWaitMs: number;
  readonly #closing = new AbortController();
  #connection: Connection;
  /** Migrated, so ours: what is not is left as it is, by closing too. */
  #isOurs = false;

  constructor(path: string, lockWaitMs: number) {
    this.path = path;
    this.#lockWaitMs = lockWaitMs;
    this.#connection = connect(path);
    // Everybody who waits for a lock listens; that is no leak.
    setMaxListeners(0, this.#closing.signal);
    this.orm = drizzle(
      async (sql, params, method) => {
        const result = await this.execute({ sql, args: params.map(asArgument) });
        const rows = result.rows.map((row) => Array.from(row));
        // `get` takes the first row, or nothing at all.
        return { rows: method === "get" ? Reflect.get(rows, 0) : rows };
      },
      { schema },
    );
  }

  execute(statement: InStatement): Promise<StatementResult> {
    const sql = typeof statement === "string" ? statement : statement.sql;
    if (READS.test(sql)) return this.#call((connection) => connection.run(statement));
    return this.#call((connection) => connection.transaction("write", () => connection.run(statement)));
  }

  batch(statements: readonly InStatement[]): Promise<readonly StatementResult[]> {
    return this.#call((connection) => connection.transaction("write", () => statements.map((statement) => connection.run(statement))));
  }

  read(statements: readonly InStatement[]): Promise<readonly StatementResult[]> {
    return this.#call((connection) => connection.transaction("read", () => statements.map((statement) => connection.run(statement))));
  }

  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#foldLogBack();
    this.#connection.close();
  }

  async closeLast(waitMs: number): Promise<void> {
    const deadline = performance.now() + waitMs;
    while (!this.#closing.signal.aborted && !this.#foldLogBack() && performance.now() < deadline) await setTimeout(RETRY_EVERY_MS);
    this.close();
  }

  /**
   * The engine folds the log back when the last connection closes, but keeps a connection until its
   * statements were collected as garbage, which at the end of a process nobody does. Leaving the log's
   * mode folds it back at once; refused while somebody else has the file open. False: try again later.
   */
  #foldLogBack(): boolean {
    if (!this.#isOurs || !this.#connection.clean) return true;
    try {
      this.#connection.leaveLog();
      return true;
    } catch (error) {
      const failure = databaseFailureOf(error);
      // Full, read-only: the log stays, whole, and the next one to open the file reads it.
      if (failure === null) throw error;
      return failure !== "locked";
    }
  }

  /** Settings and migrations; called once, before anybody else has the database. */
  async prepare(folder: string): Promise<void> {
    const ready = await this.#call((connection) => isMigrated(connection, folder, this.path));
    await this.#call((connection) => useWriteAheadLog(connection, this.path));
    if (!ready) await this.#call((connection) => migrateDatabase(connection, folder, this.path));
    this.#isOurs = true;
  }

  /** Tries until no lock is in the way. */
  async #call<T>(action: (connection: Connection) => T): Promise<T> {
    try {
      const retry = { everyMs: RETRY_EVERY_MS, forMs: this.#lockWaitMs, signal: this.#closing.signal };
      return await retryWhileBusy(async () => this.#attempt(action), retry);
    } catch (error) {
      throw asDatabaseError(error, this.path);
    }
  }

  #attempt<T>(action: (connection: Connection) => T): T {
    if (this.#closing.signal.aborted) throw new Error("The database is closed.");
    try {
      return action(this.#connection);
    } catch (error) {
      if (databaseFailureOf(error) === "locked" && !this.#connection.clean) this.#reopen();
      throw error;
    }
  }

  #reopen(): void {
    this.#connection.close();
    this.#connection = connect(this.path);
  }
}

function useWriteAheadLog(connection: Connection, path: string): void {
  if (connection.run("PRAGMA journal_mode").rows[0]?.[0] === "wal") return;
  const mode = connection.run("PRAGMA journal_mode = WAL").rows[0]?.[0];
  if (mode !== "wal") throw new DatabaseError("io", path, new Error("The write-ahead log was refused."));
}

function pathOf(url: string): string {
  if (!url.startsWith("file:")) throw new DatabaseError("unreachable", url);
  return decodeURIComponent(url.slice("file:".length).replace(/[?#].*$/, "").replace(/^\/\/(localhost)?(?=\/)/, ""));
}

function connect(path: string): Connection {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    createPrivately(path);
    const connection = new Connection(path, ENGINE_WAIT_MS);
    for (const pragma of PRAGMAS) connection.run(pragma);
    return connection;
  } catch (error) {
    const known = asDatabaseError(error, path);
    throw known instanceof DatabaseError ? known : new DatabaseError("unreachable", path, error);
  }
}

/** A new file is its owner's alone from its first byte; SQLite gives its log files the same mode. */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "EEXIST") throw error;
  }
}
