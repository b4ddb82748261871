/**
 * Ids as they come from outside. One that cannot be ours (too long, path-like, control characters) is
 * answered exactly as one that is not there, and never gets as far as SQL or the file system.
 */
import { AppError, type ErrorCode } from "#protocol/errors";
import { parseId, type Id, type IdPrefix } from "#protocol/ids";

interface Kind {
  readonly code: ErrorCode;
  readonly message: string;
}

const KINDS = {
  ses: { code: "session_not_found", message: "There is no such session." },
  run: { code: "stream_not_found", message: "There is no such run." },
  prj: { code: "not_found", message: "There is no such project." },
  que: { code: "not_found", message: "There is no such queued message." },
  att: { code: "not_found", message: "There is no such attachment." },
} as const satisfies Partial<Record<IdPrefix, Kind>>;

export function requireId<P extends keyof typeof KINDS>(prefix: P, text: string): Id<P> {
  const id = parseId(prefix, text);
  if (id === null) throw unknownId(prefix);
  return id;
}

export function unknownId(prefix: keyof typeof KINDS): AppError {
  const kind: Kind = KINDS[prefix];
  return new AppError(kind.code, kind.message);
}
