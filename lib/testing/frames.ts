/** Reading SSE frames back in tests. */
import { parseEvent } from "#protocol/events";
import type { AnyEvent } from "#protocol/events";

export function eventIdsOf(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => (line.startsWith("id: ") ? [line.slice(4)] : []));
}

export function eventsOf(text: string): readonly AnyEvent[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => parseEvent(JSON.parse(line.slice(6))))
    .filter((event) => event !== null);
}
