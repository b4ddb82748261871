/**
 * J6 for events that were written elsewhere: known secrets and secret shapes leave their payloads, in
 * text that comes in pieces too. No event goes away, so the numbers stay; a piece may become empty.
 */
import type { Redactor, StreamRedactor } from "#journal/redact";
import { redactBody } from "#journal/redact-body";
import { streamKey, textOf, withText } from "#fold/delta-text";
import type { RunEvent, UnknownEvent } from "#protocol/events";

export function redactStory(redactor: Redactor, events: readonly RunEvent[]): readonly UnknownEvent[] {
  const lastOf = new Map<string, number>();
  for (const [index, event] of events.entries()) {
    const key = streamKey(event);
    if (key !== null) lastOf.set(key, index);
  }
  const streams = new Map<string, StreamRedactor>();
  return events.map((event, index) => {
    const key = streamKey(event);
    if (key === null) return { ...event, payload: redactBody(redactor, event).payload };
    const stream = streams.get(key) ?? redactor.stream();
    streams.set(key, stream);
    // What was held back leaves with the last piece: nothing follows it.
    const text = stream.push(textOf(event)) + (lastOf.get(key) === index ? stream.end() : "");
    return { ...event, payload: withText(event, text).payload };
  });
}
