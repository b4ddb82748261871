/**
 * Opens the one database file: WAL, synchronous FULL, foreign keys on, migrated.
 *
 * One connection serves everything, one call after the other: the driver works synchronously, so
 * more would gain nothing, and the settings of a connection are lost whenever the driver opens
 * another one. They are applied again after any failure.
 * A lock of another process is waited for by a timer (20 ms inside the driver, 20 ms outside, up to
 * 10 s), so that the event loop goes on. The driver keeps a statement that met a lock open until
 * garbage collection, and SQLite then refuses every commit of that connection: so the connection is
 * replaced, and a script, which the driver closes at once, looks whether the lock is gone.
 */
import { setMaxListeners } from "node:events";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { createClient, type Client, type InStatement, type ResultSet } from "@libsql/client";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { asArgument, type Database } from "./database";
import { asDatabaseError, constraintOf, databaseFailureOf, DatabaseError } from "./database-error";
import { Exclusive } from "./exclusive";
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

const DRIVER_WAIT_MS = 20;
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
  const database = new LibsqlDatabase(path, connect(settings.url, path), settings.lockWaitMs ?? LOCK_WAIT_MS);
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
  readonly #client: Client;
  readonly #closing = new AbortController();
  readonly #calls = new Exclusive();
  readonly #lockWaitMs: number;
  #settled = false;
  #metLock = false;

  constructor(path: string, client: Client, lockWaitMs: number) {
    this.path = path;
    this.#client = client;
    this.#lockWaitMs = lockWaitMs;
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

  execute(statement: InStatement): Promise<ResultSet> {
    const sql = typeof statement === "string" ? statement : statement.sql;
    return this.#call(READS.test(sql) ? "read" : "write", () => this.#client.execute(statement));
  }

  batch(statements: readonly InStatement[]): Promise<readonly ResultSet[]> {
    return this.#call("write", () => this.#client.batch([...statements], "write"));
  }

  read(statements: readonly InStatement[]): Promise<readonly ResultSet[]> {
    return this.#call("read", () => this.#client.batch([...statements], "deferred"));
  }

  close(): void {
    this.#closing.abort();
    this.#client.close();
  }

  /** Settings and migrations; called once, before anybody else has the database. */
  async prepare(folder: string): Promise<void> {
    const ready = await this.#call("read", () => isMigrated(this.#client, folder, this.path));
    await this.#call("write", () => this.#useWriteAheadLog());
    if (!ready) await this.#call("write", () => migrateDatabase(this.#client, folder, this.path));
  }

  /** Tries until no lock is in the way; others have their turn between two tries. */
  async #call<T>(kind: "read" | "write", action: () => Promise<T>): Promise<T> {
    try {
      const retry = { everyMs: RETRY_EVERY_MS, forMs: this.#lockWaitMs, signal: this.#closing.signal };
      return await retryWhileBusy(() => this.#calls.run(() => this.#attempt(kind, action)), retry);
    } catch (error) {
      throw asDatabaseError(error, this.path);
    }
  }

  async #attempt<T>(kind: "read" | "write", action: () => Promise<T>): Promise<T> {
    if (kind === "write" && this.#metLock) {
      await this.#client.executeMultiple("BEGIN IMMEDIATE; COMMIT");
      this.#metLock = false;
    }
    if (!this.#settled) await this.#settle();
    try {
      return await action();
    } catch (error) {
      if (constraintOf(error) === null) this.#settled = false;
      if (databaseFailureOf(error) === "locked" && !this.#closing.signal.aborted) {
        this.#metLock = true;
        await this.#client.reconnect();
      }
      throw error;
    }
  }

  async #settle(): Promise<void> {
    for (const pragma of PRAGMAS) await this.#client.execute(pragma);
    this.#settled = true;
  }

  async #useWriteAheadLog(): Promise<void> {
    const mode = await this.#client.execute("PRAGMA journal_mode");
    if (mode.rows[0]?.[0] === "wal") return;
    const changed = await this.#client.execute("PRAGMA journal_mode = WAL");
    if (changed.rows[0]?.[0] !== "wal") throw new DatabaseError("io", this.path, new Error("write-ahead log refused"));
  }
}

function pathOf(url: string): string {
  if (!url.startsWith("file:")) throw new DatabaseError("unreachable", url);
  return decodeURIComponent(url.slice("file:".length).replace(/[?#].*$/, "").replace(/^\/\/(localhost)?(?=\/)/, ""));
}

function connect(url: string, path: string): Client {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    createPrivately(path);
    return createClient({ url, timeout: DRIVER_WAIT_MS, concurrency: 1 });
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
