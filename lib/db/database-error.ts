/**
 * What can go wrong with the database file itself, as one exception with a sentence that a person
 * can act on. Failures of a statement (a constraint, a trigger that refuses) are not this: they
 * pass as the engine's error, and `constraintOf` names the law that was broken.
 */
import Libsql from "libsql";
import { AppError } from "#protocol/errors";

export type DatabaseFailure = "locked" | "full" | "read_only" | "corrupt" | "newer" | "foreign" | "unreachable" | "io";

const SENTENCES: Readonly<Record<DatabaseFailure, string>> = {
  locked: "The database is locked by another program; it did not let go within 10 seconds.",
  full: "There is no space left for the database; nothing of this change was written.",
  read_only: "The database cannot be written: its file or folder is read-only.",
  corrupt: "The database file is damaged or is no SQLite database; it was left as it is.",
  newer: "The database was made by a newer version of Hermes; it was left as it is. Start that version, or choose another state directory.",
  foreign: "The database file belongs to another program; it was left as it is.",
  unreachable: "The database file cannot be opened.",
  io: "The database file cannot be read or written.",
};

export class DatabaseError extends AppError {
  readonly failure: DatabaseFailure;

  constructor(failure: DatabaseFailure, path: string, cause?: unknown) {
    super("internal", `${SENTENCES[failure]} (${path})`, { failure }, cause);
    this.failure = failure;
  }
}

/** By SQLite's primary result codes. */
const FAILURE_BY_CODE: ReadonlyMap<number, DatabaseFailure> = new Map([
  [3, "unreachable"],
  [5, "locked"],
  [6, "locked"],
  [7, "io"],
  [8, "read_only"],
  [10, "io"],
  [11, "corrupt"],
  [13, "full"],
  [14, "unreachable"],
  [26, "corrupt"],
]);
const CONSTRAINT = 19;

/** The failure of the database file that this error tells of, or null when it is none. */
export function databaseFailureOf(error: unknown): DatabaseFailure | null {
  if (error instanceof DatabaseError) return error.failure;
  const code = primaryCode(error);
  return code === null ? null : (FAILURE_BY_CODE.get(code) ?? null);
}

/** The error as `DatabaseError` where it is one of the file, else as it is. */
export function asDatabaseError(error: unknown, path: string): unknown {
  if (error instanceof DatabaseError) return error;
  const failure = databaseFailureOf(error);
  return failure === null ? error : new DatabaseError(failure, path, error);
}

/**
 * The law that a refused statement broke: `table.column` of a unique index, `foreign_key`, or the
 * word that a trigger raised (`lease_lost`, `run_is_over_or_gap`). Null when it was not refused.
 */
export function constraintOf(error: unknown): string | null {
  if (!(error instanceof Error) || primaryCode(error) !== CONSTRAINT) return null;
  if (/FOREIGN KEY constraint failed/.test(error.message)) return "foreign_key";
  const named = /constraint failed: ([^\n]+)$/.exec(error.message)?.[1];
  if (named !== undefined) return named;
  return /([a-z_]+)$/.exec(error.message)?.[1] ?? error.message;
}

function primaryCode(error: unknown): number | null {
  if (!(error instanceof Libsql.SqliteError) || error.rawCode === undefined) return null;
  return error.rawCode & 0xff;
}
