/**
 * Identifiers: a prefix that says what a thing is, and a sortable unique id (ULID, 26 characters).
 * `parseId` answers null for anything that cannot be one of ours (too long, path-like, control
 * characters), so that a crafted id ends as "unknown" before it reaches SQL or the file system.
 */
import { monotonicFactory } from "ulid";

export const ID_PREFIXES = ["ses", "run", "turn", "msg", "seg", "call", "apr", "clr", "que", "prj", "att", "prc"] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];
export type Id<P extends IdPrefix = IdPrefix> = `${P}_${string}`;
export type SessionId = Id<"ses">;

/** Makes ids; injected so that tests can fake it. */
export type CreateId = <P extends IdPrefix>(prefix: P) => Id<P>;

const PATTERN = /^[a-z]{3,4}_[0-9A-Za-z]{1,40}$/;

/** A maker of ids that rise within this process even inside one millisecond. */
export function createIdFactory(): CreateId {
  const next = monotonicFactory();
  return (prefix) => `${prefix}_${next()}`;
}

/** The text as an id of that kind, or null when it cannot be one. */
export function parseId<P extends IdPrefix>(prefix: P, text: unknown): Id<P> | null {
  if (typeof text !== "string" || text.length > 48) return null;
  if (!PATTERN.test(text) || !text.startsWith(`${prefix}_`)) return null;
  return text as Id<P>;
}
