/** Unknown input through its schema; what is wrong becomes `invalid_request` with one issue per place. */
import type { z } from "zod";
import { AppError, type ValidationIssue } from "#protocol/errors";

const MOST_ISSUES = 20;

export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues: readonly ValidationIssue[] = result.error.issues
    .slice(0, MOST_ISSUES)
    .map((issue) => ({ path: issue.path.map(String).join("."), message: issue.message }));
  throw invalidRequest(issues);
}

export function invalidRequest(issues: readonly ValidationIssue[]): AppError {
  const first = issues[0];
  const place = first === undefined || first.path === "" ? "" : ` (${first.path.slice(0, 100)})`;
  return new AppError("invalid_request", `The request is not valid${place}.`, { issues });
}

/** The query as plain text values; of a repeated name the first counts. */
export function queryRecord(search: URLSearchParams): Readonly<Record<string, string>> {
  const record = new Map<string, string>();
  for (const [name, value] of search) if (!record.has(name)) record.set(name, value);
  return Object.fromEntries(record);
}
