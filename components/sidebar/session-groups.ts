/** The session list in its groups, newest first, and the words for a group. Pure: `now` comes in. */
import type { SessionSummary } from "#protocol/session-shapes";
import { daysBetween, monthName } from "../words/time-words";

export interface SessionGroup {
  readonly label: string;
  readonly sessions: readonly SessionSummary[];
}

/** When a session last said something: that orders the list, so it moves only on a new message. */
export function sessionMoment(session: Pick<SessionSummary, "last_message_at" | "created_at">): number {
  return session.last_message_at ?? session.created_at;
}

export function groupSessions(sessions: readonly SessionSummary[], now: number): readonly SessionGroup[] {
  const groups = new Map<string, SessionSummary[]>();
  for (const session of sessions) {
    const label = session.pinned ? "Pinned" : dayLabel(sessionMoment(session), now);
    const group = groups.get(label) ?? [];
    group.push(session);
    groups.set(label, group);
  }
  const pinned = groups.get("Pinned");
  groups.delete("Pinned");
  const rest = [...groups].map(([label, members]) => ({ label, sessions: members }));
  return pinned === undefined ? rest : [{ label: "Pinned", sessions: pinned }, ...rest];
}

export function newestFirst(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  return sessions.toSorted((one, other) => sessionMoment(other) - sessionMoment(one));
}

function dayLabel(moment: number, now: number): string {
  const days = daysBetween(moment, now);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days < 7) return "Earlier this week";
  const date = new Date(moment * 1000);
  const today = new Date(now * 1000);
  if (date.getFullYear() !== today.getFullYear()) return String(date.getFullYear());
  return date.getMonth() === today.getMonth() ? "Earlier this month" : monthName(date.getMonth());
}

/**
 * The order in which rows are drawn while the pointer is over them: as it was, so that nothing moves
 * under the pointer. Rows that went are gone, new ones wait at the end.
 */
export function keepOrder(sessions: readonly SessionSummary[], order: readonly string[]): readonly SessionSummary[] {
  const place = new Map(order.map((sessionId, index) => [sessionId, index]));
  return sessions.toSorted((one, other) => (place.get(one.session_id) ?? order.length) - (place.get(other.session_id) ?? order.length));
}
