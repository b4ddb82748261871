/** A refusal of the runtime as the exception that a route answers with. */
import type { Outcome } from "#protocol/control";
import { AppError } from "#protocol/errors";

export function taken<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  const { code, message, details } = outcome.error;
  // A run is a stream to the browser.
  throw new AppError(code === "run_not_found" ? "stream_not_found" : code, message, details ?? {});
}
