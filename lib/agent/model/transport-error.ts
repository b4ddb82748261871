/**
 * Why bytes stopped coming. Thrown by the provider fetch and caught by the ports of this room; it
 * never leaves the room, where every failure is a part.
 * - `aborted`: we gave up, on the caller's wish.
 * - `unreachable`: no answer began (refused, name unknown, reset before the first byte).
 * - `first_byte_timeout`: connected, but no byte in time. `idle_timeout`: silent in mid-answer.
 * - `cut`: the connection broke after the first byte.
 */
export type TransportErrorKind = "aborted" | "unreachable" | "first_byte_timeout" | "idle_timeout" | "cut";

export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly kind: TransportErrorKind;

  constructor(kind: TransportErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** The transport error in a chain of causes (a provider library may have wrapped it), else null. */
export function findTransportError(error: unknown): TransportError | null {
  let current = error;
  for (let depth = 0; depth < 6 && current instanceof Error; depth += 1) {
    if (current instanceof TransportError) return current;
    current = current.cause;
  }
  return null;
}
