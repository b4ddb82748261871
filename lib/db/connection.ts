/**
 * One connection to the database file, on the engine that `@libsql/client` itself runs on.
 *
 * The client prepares each statement anew and leaves it to garbage collection. Measured here, that
 * is ten times the cost of a small read and four times that of a small commit, 80 MB of native memory
 * between two collections, and, since a statement that met a lock stays open meanwhile, "SQL
 * statements in progress" for every later commit. So statements are kept here by their text, and a
 * transaction begins by a script, which the engine closes at once.
 * Everything is synchronous: a call is over when it returns, and nothing comes between two calls.
 */
import type { InArgs, InStatement, InValue, Row, Value } from "@libsql/client";
import Libsql from "libsql";
import { databaseFailureOf } from "./database-error";

export interface StatementResult {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** Rows that an INSERT, UPDATE or DELETE changed; 0 for what yields rows. */
  readonly rowsAffected: number;
}

interface Prepared {
  run(args: unknown): StatementResult;
}

const MOST_STATEMENTS = 300;

export class Connection {
  readonly #database: Libsql.Database;
  readonly #statements = new Map<string, Prepared>();
  #clean = true;

  /** `waitMs`: how long a call waits for a lock, and everybody with it. */
  constructor(path: string, waitMs: number) {
    this.#database = new Libsql(path, { timeout: waitMs });
  }

  /** False after a kept statement met a lock: it stays open, and the engine then refuses every commit. */
  get clean(): boolean {
    return this.#clean;
  }

  run(statement: InStatement): StatementResult {
    const { sql, args } = typeof statement === "string" ? { sql: statement, args: [] } : statement;
    try {
      return this.#prepared(sql).run(engineArguments(args ?? []));
    } catch (error) {
      if (databaseFailureOf(error) === "locked") this.#clean = false;
      throw error;
    }
  }

  /** All or nothing. `write` takes the write lock first, so that nothing in it can meet one. */
  transaction<T>(mode: "read" | "write", action: () => T): T {
    this.#database.exec(mode === "write" ? "BEGIN IMMEDIATE" : "BEGIN");
    try {
      const result = action();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  /** Folds the write-ahead log back and leaves its mode; meets a lock while somebody else has the file open. */
  leaveLog(): void {
    this.#database.exec("PRAGMA journal_mode = DELETE");
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.open) this.#database.close();
  }

  #prepared(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = prepare(this.#database, sql);
    this.#statements.set(sql, made);
    for (const oldest of this.#statements.keys()) {
      if (this.#statements.size <= MOST_STATEMENTS) break;
      this.#statements.delete(oldest);
    }
    return made;
  }
}

function prepare(database: Libsql.Database, sql: string): Prepared {
  const statement = database.prepare(sql);
  if (!statement.reader) {
    return { run: (args) => ({ columns: [], rows: [], rowsAffected: statement.run(args).changes }) };
  }
  statement.raw(true);
  const columns = statement.columns().map((column) => column.name);
  const toRow = rowMaker(columns);
  return { run: (args) => ({ columns, rows: statement.all(args).map(toRow), rowsAffected: 0 }) };
}

/** Rows that answer by name and by number, as the client's do; only the names are listed. */
function rowMaker(columns: readonly string[]): (values: unknown) => Row {
  const prototype = {};
  Object.defineProperty(prototype, "length", { value: columns.length });
  const plain = new Set(columns).size === columns.length && columns.every((name) => !/^(\d+|length)$/.test(name));
  if (plain) {
    for (const [index, name] of columns.entries()) {
      Object.defineProperty(prototype, index, {
        get(this: Row) {
          return this[name];
        },
      });
    }
  }
  return (values) => {
    const row: Row = Object.create(prototype);
    if (!Array.isArray(values)) throw new TypeError("The engine gives rows as lists.");
    for (const [index, name] of columns.entries()) {
      const value = rowValue(values[index]);
      if (plain) {
        row[name] = value;
        continue;
      }
      if (!Object.hasOwn(row, name)) Object.defineProperty(row, name, { value, enumerable: true });
      if (!Object.hasOwn(row, index)) Object.defineProperty(row, index, { value });
    }
    return row;
  };
}

function rowValue(value: unknown): Value {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value;
  if (value instanceof Uint8Array) return new Uint8Array(value).buffer;
  throw new TypeError(`The engine gave a ${typeof value}.`);
}

function engineArguments(args: InArgs): unknown {
  if (Array.isArray(args)) return args.map(engineValue);
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name.replace(/^[@:$]/, ""), engineValue(value)]));
}

function engineValue(value: InValue): Exclude<InValue, boolean | Date> {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.valueOf();
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError("Only finite numbers can be stored.");
  return value instanceof ArrayBuffer ? Buffer.from(value) : value;
}
