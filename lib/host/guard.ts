/**
 * A condition inside a transaction: when it does not hold, everything in that transaction is undone.
 * SQLite has no assertion statement outside triggers, so the condition feeds `json()`, which fails on
 * text that is no JSON.
 */
import type { InArgs, InStatement } from "@libsql/client";

/** `condition` is SQL that yields 1 or 0. */
export function requireThat(condition: string, args: InArgs): InStatement {
  return { sql: `SELECT json(CASE WHEN (${condition}) THEN '1' ELSE 'refused' END)`, args };
}

export function isGuardFailure(cause: unknown): boolean {
  return cause instanceof Error && cause.message.includes("malformed JSON");
}
