/**
 * C1, C2 and C3 for a session: the events of its stream (its own log and those of all its runs, in
 * one commit order) folded into its view. An event that the view holds already gives back the same
 * reference, so a replay that overlaps changes nothing. A gap is the caller's matter: ask
 * `isNextInSession`, then open the session anew; so it is with a reset, after which a stream tells
 * everything from the start, older runs than the loaded ones too.
 */
import { isKnownEvent, type AnyEvent, type RunEvent, type SessionEvent, type SessionEventBody, type UnknownEvent } from "#protocol/events";
import { parseCursor } from "#protocol/cursor";
import type { Goal } from "#protocol/session-shapes";
import type { RunView } from "#protocol/run-view";
import { foldRunAll } from "./fold-run";
import type { SessionFacts, SessionView } from "./session-view";

type SessionBodyOf<T extends SessionEventBody["type"]> = Extract<SessionEventBody, { type: T }>;

/** Index of the first of these events before which something is missing; -1 when they follow without a gap. */
export function firstGap(state: SessionView, events: readonly AnyEvent[]): number {
  let logSeq = state.log_seq;
  const seqs = new Map(state.runs.map((run) => [run.run_id, run.last_seq]));
  return events.findIndex((event) => {
    if (event.session_id !== state.session.session_id) return false;
    if (event.run_id === null) {
      const missing = logSeq !== null && event.seq > logSeq + 1;
      logSeq = Math.max(logSeq ?? 0, event.seq);
      return missing;
    }
    const seen = seqs.get(event.run_id) ?? 0;
    seqs.set(event.run_id, Math.max(seen, event.seq));
    return event.seq > seen + 1;
  });
}

/** True when the view is known to hold this event (a cursor), and so everything before it. Null, the start, is held by all. */
export function holdsEvent(state: SessionView, cursor: string | null): boolean {
  if (cursor === null || cursor === state.cursor) return true;
  const parsed = parseCursor(cursor, { bareSeq: false });
  if (parsed.kind !== "event") return false;
  if (parsed.owner === state.session.session_id) return state.log_seq !== null && parsed.seq <= state.log_seq;
  const run = state.runs.findLast((view) => view.run_id === parsed.owner);
  return run !== undefined && parsed.seq <= run.last_seq;
}

export function foldSession(state: SessionView, event: AnyEvent): SessionView {
  return foldSessionAll(state, [event]);
}

/** The view after a batch in commit order; neighbours of one run are folded with one copy. */
export function foldSessionAll(state: SessionView, events: readonly AnyEvent[]): SessionView {
  let current = state;
  let index = 0;
  while (index < events.length) {
    const event = events[index];
    if (event === undefined) break;
    let end = index + 1;
    while (end < events.length && event.run_id !== null && events[end]?.run_id === event.run_id) end += 1;
    current = foldStretch(current, events.slice(index, end));
    index = end;
  }
  return current;
}

/** One event of the log, or neighbouring events of one run. */
function foldStretch(state: SessionView, events: readonly AnyEvent[]): SessionView {
  const [first] = events;
  if (first === undefined || first.session_id !== state.session.session_id) return state;
  if (first.run_id === null) return foldLogEvent(state, first);
  return foldRunStretch(state, first.run_id, events.filter(belongsToRun));
}

function belongsToRun(event: AnyEvent): event is RunEvent | UnknownEvent {
  return event.run_id !== null;
}

function foldRunStretch(state: SessionView, runId: string, events: readonly (RunEvent | UnknownEvent)[]): SessionView {
  const index = state.runs.findLastIndex((run) => run.run_id === runId);
  const before = state.runs[index] ?? null;
  const [first] = events;
  const last = events.at(-1);
  if (first === undefined || last === undefined) return state;
  if (before === null && first.type !== "run.started") return state;
  const after = foldRunAll(before, events);
  if (after === before) return state;
  const runs = before === null ? [...state.runs, after] : state.runs.with(index, after);
  return { ...state, runs, cursor: last.event_id };
}

function foldLogEvent(state: SessionView, event: AnyEvent): SessionView {
  if (state.log_seq !== null && event.seq <= state.log_seq) return state;
  const moved = { ...state, log_seq: event.seq, cursor: event.event_id };
  return isSessionEvent(event) ? foldFacts(moved, event) : moved;
}

function isSessionEvent(event: AnyEvent): event is SessionEvent {
  return isKnownEvent(event) && event.run_id === null;
}

function foldFacts(state: SessionView, event: SessionEvent): SessionView {
  switch (event.type) {
    case "title.updated":
      return { ...state, session: { ...state.session, title: event.payload.title } };
    case "session.updated":
      return { ...state, session: withChanges(state.session, event.payload) };
    case "queue.updated":
      return { ...state, queue: event.payload.items, queue_held_reason: event.payload.held_reason ?? null };
    case "goal.updated":
      return { ...state, goal: foldGoal(state.goal, event.payload) };
    case "session.rewound":
      return foldRewound(state, event.payload);
    case "session.deleted":
      return { ...state, deleted: true };
  }
}

function withChanges(facts: SessionFacts, changes: SessionBodyOf<"session.updated">["payload"]): SessionFacts {
  const { profile = facts.profile, workspace = facts.workspace, pinned = facts.pinned, archived = facts.archived, yolo = facts.yolo } = changes;
  const { project_id = facts.project_id, provider = facts.provider, model = facts.model } = changes;
  return { ...facts, profile, project_id, workspace, provider, model, pinned, archived, yolo };
}

function foldGoal(before: Goal | null, payload: SessionBodyOf<"goal.updated">["payload"]): Goal | null {
  if (payload.status === "cleared") return null;
  const same = before !== null && before.goal === payload.goal;
  return {
    goal: payload.goal,
    status: payload.status,
    turns_used: payload.turns_used,
    max_turns: payload.max_turns,
    last_verdict: payload.verdict ?? (same ? before.last_verdict : null),
    last_reason: payload.reason ?? (same ? before.last_reason : null),
  };
}

function foldRewound(state: SessionView, payload: SessionBodyOf<"session.rewound">["payload"]): SessionView {
  const named = new Set(payload.run_ids);
  const rewound = payload.reason !== "restore";
  const runs = state.runs.map((run): RunView => (named.has(run.run_id) && run.rewound !== rewound ? { ...run, rewound } : run));
  const loaded = new Set(state.runs.map((run) => run.run_id));
  const missing = rewound ? [] : payload.run_ids.filter((runId) => !loaded.has(runId));
  return { ...state, runs, missing_runs: [...state.missing_runs, ...missing] };
}
