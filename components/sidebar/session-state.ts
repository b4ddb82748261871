/** What a session's row says of it: one mark, one word at the end, one fact. By total records over its status. */
import type { SessionSummary } from "#protocol/session-shapes";

export type RowMark = "none" | "running" | "approval" | "question" | "unread" | "failed";

const MARK_BY_STATUS: Readonly<Record<SessionSummary["status"], RowMark | null>> = {
  idle: null,
  queued: "running",
  running: "running",
  awaiting_approval: "approval",
  awaiting_clarify: "question",
  paused: "running",
  cancelling: "running",
  completed: null,
  cancelled: null,
  failed: null,
  expired: null,
};

/** Ends that ask for a look. What the person stopped does not. */
const FAILED_ENDS: ReadonlySet<string> = new Set(["failed", "interrupted", "expired", "compression_exhausted"]);

type RowFacts = Pick<SessionSummary, "status" | "unread" | "unseen_outcome">;

export function rowMark(session: RowFacts): RowMark {
  const active = MARK_BY_STATUS[session.status];
  if (active !== null) return active;
  if (session.unseen_outcome !== null && FAILED_ENDS.has(session.unseen_outcome)) return "failed";
  return session.unread ? "unread" : "none";
}

export const waits: Readonly<Record<RowMark, boolean>> = { none: false, running: false, approval: true, question: true, unread: false, failed: false };

const STATE_WORDS: Readonly<Record<RowMark, string>> = {
  none: "",
  running: "running",
  approval: "waiting for your approval",
  question: "waiting for your answer",
  unread: "unread",
  failed: "failed, not looked at",
};

/** The state for those who hear the list; the link itself is named by its title alone. */
export function rowDescription(session: RowFacts): string {
  return STATE_WORDS[rowMark(session)];
}

const FACT_BY_STATUS: Readonly<Record<SessionSummary["status"], string | null>> = {
  idle: null,
  queued: "Waiting for a free place",
  running: "Working",
  awaiting_approval: "Wants to run something",
  awaiting_clarify: "Asks a question",
  paused: "Paused",
  cancelling: "Stopping",
  completed: null,
  cancelled: null,
  failed: null,
  expired: null,
};

/** The second line on phones. */
export function rowFact(session: SessionSummary): string {
  return FACT_BY_STATUS[session.status] ?? (rowMark(session) === "failed" ? "Failed" : (session.preview ?? "No message yet"));
}
