/**
 * C1: a run's view is the fold of its events, here and nowhere else: the journal's rows and
 * snapshots, a reload, a reconnect, a second tab and the agent loop all come through `foldRun`.
 * C2: an event at or below `last_seq`, or of another run, gives back the same reference; parts that
 * an event does not touch keep theirs.
 * A gap is not guessed at: whoever reads a stream asks `isNext` first and reconnects from its cursor
 * (C3). Pure: times come from the events, never from a clock.
 *
 * Cost: one event is one shallow copy of the view and of its list of parts; text grows by
 * concatenation, which the engine keeps as a rope. `foldRunAll` copies the list once for a batch.
 */
import { AppError } from "#protocol/errors";
import { type Usage } from "#protocol/event-values";
import {
  isKnownEvent,
  type AnyEvent,
  type RunEvent,
  type RunEventBody,
  type RunEventType,
  type RunPayload,
  type UnknownEvent,
} from "#protocol/events";
import type { RunView } from "#protocol/run-view";
import { foldCancelled, foldDone, foldError, foldUnknownEnding } from "./fold-ending";
import { foldApprovalRequested, foldApprovalResolved, foldClarifyRequested, foldClarifyResolved } from "./fold-prompt";
import { foldToolDone, foldToolRequested, foldToolStarted, foldToolUpdated } from "./fold-tool";
import { PartsDraft } from "./parts-draft";

type Payloads = { readonly [Body in RunEventBody as Body["type"]]: Body["payload"] };
type BodyOf<T extends RunEventType> = { readonly [K in T]: { readonly type: K; readonly payload: Payloads[K] } }[T];
interface Moment {
  readonly at: number;
  readonly terminal: boolean;
}
type Fold<T extends RunEventType> = (view: RunView, parts: PartsDraft, payload: Payloads[T], moment: Moment) => RunView;

/** True when the event is the one that follows; an event at or below `last_seq` is no gap either, it is just known. */
export function isNext(view: RunView | null, event: Pick<AnyEvent, "seq">): boolean {
  return event.seq <= (view?.last_seq ?? 0) + 1;
}

/**
 * The view after one event. `view` null and `run.started` make it; anything else without a view is
 * a caller's mistake and throws an AppError `internal`.
 */
export function foldRun(view: RunView | null, event: RunEvent | UnknownEvent): RunView {
  return foldRunAll(view, [event]);
}

/** The view after a batch of events of one run, in rising order. Throws as `foldRun` does. */
export function foldRunAll(view: RunView | null, events: readonly (RunEvent | UnknownEvent)[]): RunView {
  let current = view;
  let parts = new PartsDraft(view?.parts ?? []);
  for (const event of events) {
    if (current === null) {
      current = startView(event);
      parts = new PartsDraft(current.parts);
    } else {
      current = foldOne(current, parts, event);
    }
  }
  if (current === null) throw new AppError("internal", "A run's view needs its first event.");
  return current.parts === parts.parts ? current : { ...current, parts: parts.parts };
}

function startView(event: RunEvent | UnknownEvent): RunView {
  if (!isRunEvent(event) || event.type !== "run.started") throw new AppError("internal", "A run's story begins with run.started.");
  const { payload } = event;
  return {
    run_id: event.run_id,
    turn_id: payload.turn_id,
    session_id: event.session_id,
    source: payload.source,
    profile: payload.profile,
    workspace: payload.workspace,
    provider: payload.provider,
    model: payload.model,
    toolsets: payload.toolsets,
    continues: payload.continues,
    instruction: payload.instruction ?? null,
    status: "running",
    reason: null,
    terminal_state: null,
    message: payload.message,
    parts: [],
    usage: null,
    controls: payload.controls,
    error: null,
    cancelled: null,
    result: null,
    started_at: event.created_at,
    ended_at: null,
    last_seq: event.seq,
    steps: 0,
    rewound: false,
  };
}

function foldOne(view: RunView, parts: PartsDraft, event: RunEvent | UnknownEvent): RunView {
  if (event.run_id !== view.run_id || event.seq <= view.last_seq) return view;
  const moved: RunView = { ...view, last_seq: event.seq };
  if (view.terminal_state !== null) return moved;
  const moment: Moment = { at: event.created_at, terminal: event.terminal };
  if (isRunEvent(event)) return foldBody(moved, parts, event, moment);
  return event.terminal ? foldUnknownEnding(moved, parts, moment.at) : moved;
}

function isRunEvent(event: RunEvent | UnknownEvent): event is RunEvent {
  return isKnownEvent(event) && event.run_id !== null && Object.hasOwn(FOLDS, event.type);
}

function foldBody<T extends RunEventType>(view: RunView, parts: PartsDraft, body: BodyOf<T>, moment: Moment): RunView {
  const fold: Fold<T> = FOLDS[body.type];
  return fold(view, parts, body.payload, moment);
}

/** A fold that touches only parts. */
function onParts<T extends RunEventType>(fold: (parts: PartsDraft, payload: Payloads[T], at: number) => void): Fold<T> {
  return (view, parts, payload, { at }) => {
    fold(parts, payload, at);
    return view;
  };
}

function foldToken(parts: PartsDraft, payload: RunPayload<"token.delta">): void {
  const { segment_id, message_id, delta } = payload;
  const grown = parts.update("text", (part) => part.segment_id === segment_id, (part) => ({ ...part, text: part.text + delta }));
  if (!grown) parts.add({ type: "text", segment_id, message_id, text: delta });
}

function foldReasoningDelta(parts: PartsDraft, payload: RunPayload<"reasoning.delta">, at: number): void {
  const { segment_id, delta } = payload;
  const grown = parts.update("reasoning", (part) => part.segment_id === segment_id, (part) => ({ ...part, text: part.text + delta }));
  if (!grown) parts.add({ type: "reasoning", segment_id, text: delta, done: false, started_at: at, ended_at: null });
}

function foldReasoningDone(parts: PartsDraft, payload: RunPayload<"reasoning.done">, at: number): void {
  const { segment_id, text } = payload;
  const closed = parts.update("reasoning", (part) => part.segment_id === segment_id, (part) => ({ ...part, text, done: true, ended_at: at }));
  if (!closed) parts.add({ type: "reasoning", segment_id, text, done: true, started_at: at, ended_at: at });
}

function foldProgress(parts: PartsDraft, payload: RunPayload<"progress">): void {
  const { kind, text } = payload;
  const tool_call_id = payload.tool_call_id ?? null;
  parts.add({ type: "progress", kind, text, tool_call_id, summary: payload.summary ?? null, covers: payload.covers ?? [] });
}

function foldSteer(parts: PartsDraft, payload: RunPayload<"steer.accepted">, appliedAt: number | null): void {
  const { queue_id, text } = payload;
  const applied = appliedAt !== null;
  const known = parts.update(
    "steer",
    (part) => part.queue_id === queue_id,
    (part) => (applied ? { ...part, text, applied, applied_at: appliedAt } : part),
  );
  if (!known) parts.add({ type: "steer", queue_id, text, applied, applied_at: appliedAt });
}

function foldTodo(parts: PartsDraft, payload: RunPayload<"todo.updated">): void {
  const { items } = payload;
  if (!parts.update("todo", () => true, (part) => ({ ...part, items }))) parts.add({ type: "todo", items });
}

/** What is known of the context stays known when a later report leaves it out. */
function foldUsage(view: RunView, usage: Usage): RunView {
  const context_tokens = usage.context_tokens ?? view.usage?.context_tokens ?? null;
  const context_window = usage.context_window ?? view.usage?.context_window ?? null;
  return { ...view, usage: { ...usage, context_tokens, context_window } };
}

const FOLDS: { readonly [T in RunEventType]: Fold<T> } = {
  // A second start of a run that has begun says nothing new.
  "run.started": (view) => view,
  status: (view, _parts, payload) => ({ ...view, status: payload.status, controls: payload.controls, reason: payload.reason ?? null }),
  "token.delta": onParts(foldToken),
  "reasoning.delta": onParts(foldReasoningDelta),
  "reasoning.done": onParts(foldReasoningDone),
  progress: onParts(foldProgress),
  "tool.requested": (view, parts, payload) => {
    foldToolRequested(parts, payload);
    return { ...view, steps: view.steps + 1 };
  },
  "tool.started": onParts(foldToolStarted),
  "tool.updated": onParts(foldToolUpdated),
  "tool.done": onParts(foldToolDone),
  "approval.requested": onParts(foldApprovalRequested),
  "approval.resolved": onParts(foldApprovalResolved),
  "clarify.requested": onParts(foldClarifyRequested),
  "clarify.resolved": onParts(foldClarifyResolved),
  "usage.updated": (view, _parts, payload) => foldUsage(view, payload),
  "usage.final": (view, _parts, payload) => foldUsage(view, payload),
  "steer.accepted": onParts((parts, payload) => foldSteer(parts, payload, null)),
  "steer.applied": onParts((parts, payload, at) => foldSteer(parts, payload, at)),
  "todo.updated": onParts(foldTodo),
  error: (view, parts, payload, { at, terminal }) => foldError(view, parts, payload, at, terminal),
  cancelled: (view, parts, payload, { at }) => foldCancelled(view, parts, payload, at),
  done: (view, parts, payload, { at }) => {
    const settled = foldDone(view, parts, payload, at);
    return payload.usage === null ? settled : foldUsage(settled, payload.usage);
  },
};
