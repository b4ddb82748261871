/**
 * A bundler makes several copies of a module, and a server that one copy made throws errors of that
 * copy's class: `instanceof` fails for what is the same thing. Its name and its closed code tell.
 */
import { z } from "zod";
import { AppError, HTTP_STATUS_BY_CODE, type ErrorCode } from "#protocol/errors";

const shapeSchema = z.object({
  name: z.literal("AppError"),
  code: z.string().refine((code): code is ErrorCode => Object.hasOwn(HTTP_STATUS_BY_CODE, code)),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
});

/** Null when it is none of ours. */
export function asAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return null;
  const { name, message } = error;
  const parsed = shapeSchema.safeParse({ ...error, name, message });
  return parsed.success ? new AppError(parsed.data.code, parsed.data.message, parsed.data.details, error.cause) : null;
}
