/**
 * What a screen knows of one session: its facts, the runs that are loaded (in the order in which
 * they began, rewound ones among them so that `restore` finds their place), queue and goal. Made
 * from GET session; `foldSession` carries it on from the cursor.
 */
import { parseCursor } from "#protocol/cursor";
import type { QueueItem } from "#protocol/event-values";
import type { RunView } from "#protocol/run-view";
import type { Goal, OpenedSession, SessionSummary } from "#protocol/session-shapes";

/** Facts that the session's own log changes. What follows from its runs (status, usage) is asked of the runs. */
export type SessionFacts = Readonly<
  Pick<
    SessionSummary,
    | "session_id"
    | "title"
    | "profile"
    | "project_id"
    | "workspace"
    | "provider"
    | "model"
    | "pinned"
    | "archived"
    | "created_at"
    | "parent_session_id"
    | "yolo"
  >
>;

export interface SessionView {
  readonly session: SessionFacts;
  readonly runs: readonly RunView[];
  readonly queue: readonly QueueItem[];
  /** Why queued items wait for a person, as last said; null when they do not or nobody said. */
  readonly queue_held_reason: string | null;
  readonly goal: Goal | null;
  /** Event id of the last event in this view: where a stream goes on. Null before the first event. */
  readonly cursor: string | null;
  /** Last seq of the session's own log in this view; null while no event of it was seen. */
  readonly log_seq: number | null;
  /** Older runs exist that are not loaded. */
  readonly has_more: boolean;
  readonly deleted: boolean;
  /** Runs that `restore` brought back and that are not loaded: the session must be opened anew. */
  readonly missing_runs: readonly string[];
}

function factsOf(summary: SessionSummary): SessionFacts {
  const { session_id, title, profile, project_id, workspace, provider, model } = summary;
  const { pinned, archived, created_at, parent_session_id, yolo } = summary;
  return { session_id, title, profile, project_id, workspace, provider, model, pinned, archived, created_at, parent_session_id, yolo };
}

function logSeqOf(cursor: string | null, sessionId: string): number | null {
  const parsed = parseCursor(cursor, { bareSeq: false });
  return parsed.kind === "event" && parsed.owner === sessionId ? parsed.seq : null;
}

/**
 * The view of a session that was just opened. With `previous` (opened anew, after a reset or a gap)
 * runs that did not change keep their reference, a run never goes back, and older pages stay.
 */
export function openSessionView(opened: OpenedSession, previous: SessionView | null = null): SessionView {
  const known = new Map(previous?.runs.map((run) => [run.run_id, run]));
  const runs = opened.runs.map((run) => newerOf(known.get(run.run_id), run));
  const older = opened.has_more ? olderThan(previous?.runs ?? [], opened.runs[0]?.run_id) : [];
  return {
    session: factsOf(opened.session),
    runs: [...older, ...runs],
    queue: opened.queue,
    queue_held_reason: null,
    goal: opened.goal,
    cursor: opened.cursor,
    log_seq: logSeqOf(opened.cursor, opened.session.session_id),
    has_more: older.length > 0 ? (previous?.has_more ?? true) : opened.has_more,
    deleted: false,
    missing_runs: [],
  };
}

function newerOf(known: RunView | undefined, opened: RunView): RunView {
  if (known === undefined || known.last_seq < opened.last_seq) return opened;
  return known.rewound === opened.rewound ? known : { ...known, rewound: opened.rewound };
}

function olderThan(runs: readonly RunView[], firstRunId: string | undefined): readonly RunView[] {
  const border = runs.findIndex((run) => run.run_id === firstRunId);
  return border <= 0 ? [] : runs.slice(0, border);
}

/** The view with an older page (oldest first) in front; runs that are loaded already are kept as they are. */
export function withOlderRuns(state: SessionView, page: readonly RunView[], hasMore: boolean): SessionView {
  const known = new Set(state.runs.map((run) => run.run_id));
  const older = page.filter((run) => !known.has(run.run_id));
  return { ...state, runs: [...older, ...state.runs], has_more: hasMore };
}
