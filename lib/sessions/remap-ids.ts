/**
 * New ids for copied or imported events: every id of ours that an event carries, by the key it stands
 * under, gets one new id for all its places. Text is never searched for ids, so words stay as they are.
 */
import type { AnyEvent, UnknownEvent } from "#protocol/events";
import { eventId } from "#protocol/cursor";
import type { CreateId, IdPrefix } from "#protocol/ids";

const SINGLE: ReadonlyMap<string, IdPrefix> = new Map<string, IdPrefix>([
  ["run_id", "run"],
  ["continues", "run"],
  ["turn_id", "turn"],
  ["message_id", "msg"],
  ["segment_id", "seg"],
  ["tool_call_id", "call"],
  ["approval_id", "apr"],
  ["clarify_id", "clr"],
  ["queue_id", "que"],
  ["attachment_id", "att"],
]);
const LISTS: ReadonlyMap<string, IdPrefix> = new Map<string, IdPrefix>([
  ["run_ids", "run"],
  ["covers", "run"],
]);
/** Text and values that belong to tools and people: what looks like a key in there is none of ours. */
const OPAQUE: ReadonlySet<string> = new Set(["arguments", "data", "result", "answers", "diagnostics", "metadata", "delta", "text", "stdout", "stderr"]);

export class IdRemapper {
  readonly #createId: CreateId;
  readonly #ids = new Map<string, string>();

  constructor(createId: CreateId) {
    this.#createId = createId;
  }

  /** The new id of an old one. */
  id<P extends IdPrefix>(prefix: P, old: string): string {
    const place = `${prefix} ${old}`;
    const known = this.#ids.get(place);
    if (known !== undefined) return known;
    const made = this.#createId(prefix);
    this.#ids.set(place, made);
    return made;
  }

  /** The event with new ids throughout, in the session `sessionId`. Type, seq, time and words stay. */
  event(event: AnyEvent, sessionId: string): UnknownEvent {
    const run_id = event.run_id === null ? null : this.id("run", event.run_id);
    return {
      event_id: eventId(run_id ?? sessionId, event.seq),
      seq: event.seq,
      run_id,
      session_id: sessionId,
      type: event.type,
      created_at: event.created_at,
      terminal: event.terminal,
      payload: event.type === "run.started" ? this.#started(event.payload) : this.#record(event.payload),
    };
  }

  /** The person's message is the one thing that calls its own id plain `id`. */
  #started(payload: object): Record<string, unknown> {
    return Object.fromEntries(
      entriesOf(payload).map(([key, value]) => [key, key === "message" && isObject(value) ? this.#message(value) : this.#value(key, value)]),
    );
  }

  #message(message: object): Record<string, unknown> {
    return Object.fromEntries(
      entriesOf(message).map(([key, value]) => [key, key === "id" && typeof value === "string" ? this.id("msg", value) : this.#value(key, value)]),
    );
  }

  #record(value: object): Record<string, unknown> {
    return Object.fromEntries(entriesOf(value).map(([key, item]) => [key, this.#value(key, item)]));
  }

  #value(key: string, value: unknown): unknown {
    if (OPAQUE.has(key)) return value;
    const single = SINGLE.get(key);
    if (single !== undefined && typeof value === "string") return this.id(single, value);
    const list = LISTS.get(key);
    if (list !== undefined && Array.isArray(value)) return value.map((item: unknown) => (typeof item === "string" ? this.id(list, item) : item));
    return this.#nested(value);
  }

  #nested(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item: unknown) => this.#nested(item));
    return isObject(value) ? this.#record(value) : value;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value);
}
