/** H1: a write that names its owner's epoch is refused by the database once that owner was declared lost. */
import type { InStatement } from "@libsql/client";
import { constraintOf } from "#db/database-error";
import { LeaseLostError } from "./journal";

export function fenceStatement(epoch: number | null): InStatement {
  if (epoch === null) throw new LeaseLostError("This process owns no runs.");
  return { sql: "INSERT INTO fence (id, epoch) VALUES (1, ?)", args: [epoch] };
}

export function asLeaseLost(error: unknown): unknown {
  return constraintOf(error) === "lease_lost" ? new LeaseLostError("Another process took over this owner's runs.", { cause: error }) : error;
}
