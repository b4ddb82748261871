import { parseId } from "#protocol/ids";
import { invalidRequest } from "#http/parse-input";
import { eventCursor } from "#http/request-cursor";
import type { StreamTarget } from "./session-stream";

const MOST_TARGETS = 50;

/** The sessions of `?s=<session_id>~<cursor>&s=…`; one that cannot be is `gone` like one that is not there. */
export function streamTargets(search: URLSearchParams): readonly StreamTarget[] {
  const targets = search.getAll("s");
  if (targets.length > MOST_TARGETS) throw invalidRequest([{ path: "s", message: `at most ${MOST_TARGETS} sessions` }]);
  return targets.map((target) => {
    const border = target.indexOf("~");
    const id = border === -1 ? target : target.slice(0, border);
    // What is no id names no session, and is too long to be looked up or repeated.
    return { sessionId: parseId("ses", id) ?? id.slice(0, 48), cursor: eventCursor(border === -1 ? null : target.slice(border + 1)) };
  });
}
