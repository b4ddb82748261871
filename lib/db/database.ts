/**
 * The database as the rooms above see it: a few calls, each one transaction. There is no
 * interactive transaction on purpose: the engine works synchronously, and a transaction that is
 * open while the event loop turns would make everybody else wait.
 */
import type { InStatement } from "@libsql/client";
import type { SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import type { StatementResult } from "./connection";
import type * as schema from "./schema";

export interface Database {
  /** The file, for messages and health. */
  readonly path: string;
  /** One statement, on its own. */
  execute(statement: InStatement): Promise<StatementResult>;
  /** One write transaction: all statements or none. A statement that is refused rejects with the engine's error (see `constraintOf`). */
  batch(statements: readonly InStatement[]): Promise<readonly StatementResult[]>;
  /** One read transaction: all statements see the same state. */
  read(statements: readonly InStatement[]): Promise<readonly StatementResult[]>;
  /** Typed queries over the same connection; `statementOf` makes one part of a `batch`. */
  readonly orm: SqliteRemoteDatabase<typeof schema>;
  /** The last one to close folds the log back into the file; at most `waitMs` are waited for other processes to go. */
  closeLast(waitMs: number): Promise<void>;
  /** The same without waiting. */
  close(): void;
}

/** A query of Drizzle's builder as a statement for `batch` or `read`. */
export function statementOf(query: { toSQL(): { sql: string; params: readonly unknown[] } }): InStatement {
  const { sql, params } = query.toSQL();
  return { sql, args: params.map(asArgument) };
}

export function asArgument(value: unknown): string | number | bigint | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  throw new TypeError(`A ${typeof value} cannot be an argument of a statement.`);
}
