/** What the event connection tells a tab, in the order of the one connection that all tabs share. */
import { parseEvent, type AnyEvent } from "#protocol/events";
import { z } from "zod";
import type { Subscription } from "./api";
import type { StreamFrame } from "./event-stream-reader";

export type ConnectionNews =
  | { readonly kind: "event"; readonly event: AnyEvent }
  /** The connection begins (anew) to carry these sessions from these cursors: whoever does not hold such an event has missed some. */
  | { readonly kind: "start"; readonly subscriptions: readonly Subscription[] }
  /** The server could not go on from the cursor; nothing more of this session comes until it is opened anew. */
  | { readonly kind: "reset"; readonly session_id: string }
  /** The session is unknown or deleted. */
  | { readonly kind: "gone"; readonly session_id: string }
  /** The session list changed. */
  | { readonly kind: "sessions" }
  /** Something may have been missed: open what is shown anew. */
  | { readonly kind: "stale" };

const ofSessionSchema = z.looseObject({ session_id: z.string() });

function parseData(data: string): unknown {
  try {
    const value: unknown = JSON.parse(data);
    return value;
  } catch {
    // Not JSON: no schema below takes it, and the frame is unreadable.
    return undefined;
  }
}

/** The news in a frame; null for one that this version does not know. A frame that cannot be read makes all `stale`. */
export function newsOfFrame(frame: StreamFrame): ConnectionNews | null {
  if (frame.event === "sessions") return { kind: "sessions" };
  const value = parseData(frame.data);
  if (frame.event === "reset" || frame.event === "gone") {
    const parsed = ofSessionSchema.safeParse(value);
    return parsed.success ? { kind: frame.event, session_id: parsed.data.session_id } : { kind: "stale" };
  }
  const event = parseEvent(value);
  if (event !== null) return { kind: "event", event };
  return frame.id === null ? null : { kind: "stale" };
}
