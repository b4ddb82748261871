import type { Outcome } from "#protocol/control";
import { AppError } from "#protocol/errors";

/** A wrong argument, in a sentence for the person. */
export function wrongArgument(message: string): AppError {
  return new AppError("invalid_request", message, { issues: [{ path: "text", message }] });
}

/** The value, or the runtime's refusal as an exception. */
export function granted<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new AppError(outcome.error.code, outcome.error.message, outcome.error.details ?? {});
}

/** What a session lacks when a person names it wrongly is a wrong argument here. */
export async function asArgument<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && (error.code === "profile_not_found" || error.code === "invalid_request")) throw wrongArgument(error.message);
    throw error;
  }
}
