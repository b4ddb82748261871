/** Tells a session's story in tests: its log and its runs in one commit order, and GET session at any point of it. */
import type { AnyEvent, JournalEvent, RunEvent, SessionEvent, SessionEventBody } from "#protocol/events";
import type { RunView } from "#protocol/run-view";
import { openedSessionSchema, type OpenedSession, type SessionSummary } from "#protocol/session-shapes";
import { foldRun } from "./fold-run";

export function summary(sessionId: string, changes: Partial<SessionSummary> = {}): SessionSummary {
  return {
    session_id: sessionId,
    title: "New session",
    profile: "default",
    project_id: null,
    workspace: "/w",
    provider: null,
    model: null,
    pinned: false,
    archived: false,
    created_at: 1000,
    updated_at: 1000,
    last_message_at: null,
    active_stream_id: null,
    status: "idle",
    unread: false,
    preview: null,
    parent_session_id: null,
    usage: { input_tokens: null, output_tokens: null, cost_usd: null },
    yolo: false,
    unseen_outcome: null,
    active_started_at: null,
    ...changes,
  };
}

export function opened(sessionId: string, changes: Partial<OpenedSession> = {}): OpenedSession {
  return {
    session: summary(sessionId),
    runs: [],
    cursor: null,
    active_run_id: null,
    pending: { approval: null, clarify: null },
    queue: [],
    goal: null,
    has_more: false,
    ...changes,
  };
}

export function logEvent(seq: number, body: SessionEventBody, sessionId = "ses_1"): SessionEvent {
  return { event_id: `${sessionId}:${seq}`, seq, run_id: null, session_id: sessionId, created_at: 1000 + seq, terminal: false, ...body };
}

export function titled(title: string): SessionEventBody {
  return { type: "title.updated", payload: { title, source: "user", confidence: 1 } };
}

export function queued(...texts: readonly string[]): SessionEventBody {
  const items = texts.map((text, index) => ({ queue_id: `que_${index}`, text, mode: "queue" as const, created_at: 1000 + index }));
  return { type: "queue.updated", payload: { items } };
}

export function rewound(runIds: readonly string[], reason: "retry" | "undo" | "restore"): SessionEventBody {
  return { type: "session.rewound", payload: { run_ids: [...runIds], reason } };
}

/**
 * What a server answers to GET session when exactly `events` are committed, told without the fold
 * under test for the session: facts by last writer, runs by their own fold, rewound ones left out.
 */
export function openedAfter(sessionId: string, events: readonly JournalEvent[], limit = Number.POSITIVE_INFINITY): OpenedSession {
  const runs = new Map<string, RunView>();
  const gone = new Set<string>();
  let answer = opened(sessionId);
  for (const event of events) {
    answer = { ...answer, cursor: event.event_id };
    if (isRun(event)) runs.set(event.run_id, foldRun(runs.get(event.run_id) ?? null, event));
    else if (event.type === "title.updated") answer = { ...answer, session: { ...answer.session, title: event.payload.title } };
    else if (event.type === "queue.updated") answer = { ...answer, queue: event.payload.items };
    else if (event.type === "session.rewound") {
      for (const runId of event.payload.run_ids) {
        if (event.payload.reason === "restore") gone.delete(runId);
        else gone.add(runId);
      }
    }
  }
  const shown = [...runs.values()].filter((run) => !gone.has(run.run_id));
  const page = shown.slice(Math.max(0, shown.length - limit));
  return openedSessionSchema.parse({ ...answer, runs: page, has_more: page.length < shown.length });
}

function isRun(event: AnyEvent): event is RunEvent {
  return event.run_id !== null;
}
