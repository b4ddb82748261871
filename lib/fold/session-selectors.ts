/** What the page asks of a session as a whole, from its view. */
import type { TodoItem } from "#protocol/event-values";
import type { PartOf, RunView } from "#protocol/run-view";
import type { SessionSummary } from "#protocol/session-shapes";
import { isActive } from "#protocol/status";
import { openPrompts, type OpenPrompt } from "./open-work";
import type { SessionView } from "./session-view";

type Runs = Pick<SessionView, "runs">;

/** The unfinished run, or null: a session has at most one. */
export function activeRun(view: Runs): RunView | null {
  return view.runs.findLast((run) => isActive(run.status)) ?? null;
}

/** The newest run that is drawn, or null. */
export function newestRun(view: Runs): RunView | null {
  return view.runs.findLast((run) => !run.rewound) ?? null;
}

/** What waits for the person in this session, oldest first. */
export function promptsOf(view: Runs): readonly OpenPrompt[] {
  const run = activeRun(view);
  return run === null ? [] : openPrompts(run);
}

/** Sessions of the list that wait for the person, the longest waiting first. */
export function waitingSessions(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  return sessions
    .filter((session) => session.status === "awaiting_approval" || session.status === "awaiting_clarify")
    .toSorted((first, second) => first.updated_at - second.updated_at);
}

export function isQueueHeld(view: Pick<SessionView, "queue" | "queue_held_reason">): boolean {
  return view.queue.length > 0 && (view.queue_held_reason !== null || view.queue.some((item) => item.held === true));
}

export interface ChangedFile {
  readonly path: string;
  readonly kind: "created" | "changed" | "deleted";
  readonly added: number;
  readonly removed: number;
  /** The call that touched it last. */
  readonly tool_call_id: string;
}

type FileChange = PartOf<"tool">["files"][number];

/** Files that the drawn turns changed, the latest touched first; a file that was made and deleted again is left out. */
export function changedFiles(view: Runs): readonly ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const run of view.runs) {
    if (run.rewound) continue;
    for (const part of run.parts) {
      if (part.type !== "tool") continue;
      for (const change of part.files) addChange(files, change, part.tool_call_id);
    }
  }
  return [...files.values()].toReversed();
}

function addChange(files: Map<string, ChangedFile>, change: FileChange, tool_call_id: string): void {
  const before = files.get(change.path);
  files.delete(change.path);
  if (before?.kind === "created" && change.kind === "deleted") return;
  const { path } = change;
  const added = (before?.added ?? 0) + change.added;
  const removed = (before?.removed ?? 0) + change.removed;
  files.set(path, { path, kind: mergedKind(before?.kind ?? null, change.kind), added, removed, tool_call_id });
}

function mergedKind(before: ChangedFile["kind"] | null, now: ChangedFile["kind"]): ChangedFile["kind"] {
  if (before === "created") return "created";
  if (before === "deleted" && now === "created") return "changed";
  return now;
}

/** The newest todo list of the drawn turns, and whether its run still works on it; null when there was none. */
export function currentTodo(view: Runs): { readonly items: readonly TodoItem[]; readonly active: boolean } | null {
  for (const run of view.runs.toReversed()) {
    const todo = run.rewound ? undefined : run.parts.find((part): part is PartOf<"todo"> => part.type === "todo");
    if (todo !== undefined) return { items: todo.items, active: isActive(run.status) };
  }
  return null;
}

export interface ContextMeter {
  readonly tokens: number;
  /** Null when the model's window is not known. */
  readonly window: number | null;
  /** 0 to 1, cut off at 1; null without a window. */
  readonly share: number | null;
  /** More tokens than the window holds: the share is a bound, not a measure. */
  readonly over: boolean;
  readonly model: string;
}

/** B271: the latest known fill of the context; a report without these numbers changes nothing. Null when nobody said. */
export function contextMeter(view: Runs): ContextMeter | null {
  for (const run of view.runs.toReversed()) {
    const usage = run.rewound ? null : run.usage;
    if (usage === null || usage.context_tokens === null) continue;
    const tokens = usage.context_tokens;
    const window = usage.context_window !== null && usage.context_window > 0 ? usage.context_window : null;
    const share = window === null ? null : Math.min(1, tokens / window);
    return { tokens, window, share, over: window !== null && tokens > window, model: usage.model };
  }
  return null;
}
