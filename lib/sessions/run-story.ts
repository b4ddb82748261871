/**
 * Whether a list of events is a run's lawful story: numbered without gaps, begun once, moved only as
 * the lifecycle allows, each call and prompt settled exactly once, and ended by one terminal event.
 * What comes from outside is held to what our own writer keeps.
 */
import { foldRunAll } from "#fold/fold-run";
import { eventId } from "#protocol/cursor";
import { AppError } from "#protocol/errors";
import { runEventSchema, TERMINAL_TYPES, type RunEvent } from "#protocol/events";
import type { RunView } from "#protocol/run-view";
import { lifecycleMoveOf } from "#protocol/lifecycle-move";
import { LIFECYCLE, type LifecycleMove, type RunStatus } from "#protocol/status";

/** An envelope of a known run event; throws `internal` for anything else. */
export function runEventOf(value: unknown): RunEvent {
  const parsed = runEventSchema.safeParse(value);
  if (!parsed.success) throw new AppError("internal", "An event of a run cannot be read.", {}, parsed.error);
  return parsed.data;
}

export type StoryCheck = { readonly lawful: true; readonly view: RunView } | { readonly lawful: false; readonly problem: string };

export function checkStory(runId: string, events: readonly RunEvent[]): StoryCheck {
  const first = events[0];
  if (first?.type !== "run.started") return broken("does not begin with run.started");
  const problem = problemOf(runId, first.session_id, events);
  if (problem !== null) return broken(problem);
  return { lawful: true, view: foldRunAll(null, events) };
}

function broken(problem: string): StoryCheck {
  return { lawful: false, problem };
}

function problemOf(runId: string, sessionId: string, events: readonly RunEvent[]): string | null {
  const walk: Walk = { status: "running", calls: new Map(), prompts: new Map() };
  for (const [index, event] of events.entries()) {
    const problem = envelopeProblem(event, index + 1, runId, sessionId) ?? (index === 0 ? null : stepProblem(walk, event));
    if (problem !== null) return `${problem} at ${index + 1}`;
    if (event.terminal !== (index === events.length - 1)) return "has its terminal event in another place than its end";
  }
  // The fold closes what an ending left open; a lawful writer closed it before.
  if ([...walk.calls.values(), ...walk.prompts.values()].includes("open")) return "ended with open calls or prompts";
  return null;
}

function envelopeProblem(event: RunEvent, seq: number, runId: string, sessionId: string): string | null {
  if (event.seq !== seq || event.run_id !== runId || event.event_id !== eventId(runId, seq)) return "is not numbered without gaps";
  if (event.session_id !== sessionId) return "belongs to two sessions";
  if (!Number.isFinite(event.created_at) || event.created_at < 0) return "has an impossible time";
  if (event.terminal && !TERMINAL_TYPES.has(event.type)) return "is ended by an event that ends nothing";
  if ((event.type === "done" || event.type === "cancelled") && (!event.terminal || event.payload.last_seq !== seq)) return "is ended in the wrong place";
  return null;
}

type Settling = "open" | "settled";
interface Walk {
  status: RunStatus;
  readonly calls: Map<string, Settling>;
  readonly prompts: Map<string, Settling>;
}

function stepProblem(walk: Walk, event: RunEvent): string | null {
  const next = event.type === "run.started" ? "refused" : LIFECYCLE[walk.status][moveOf(event)];
  if (next === "refused") return `makes a move that a run with status ${walk.status} cannot make`;
  walk.status = next;
  switch (event.type) {
    case "tool.requested":
      return event.payload.calls.map((call) => opened(walk.calls, call.tool_call_id)).find((problem) => problem !== null) ?? null;
    case "tool.started":
      return walk.calls.get(event.payload.tool_call_id) === "open" ? null : "starts a call that is not open";
    case "tool.done":
      return settled(walk.calls, event.payload.tool_call_id);
    case "approval.requested":
      return opened(walk.prompts, event.payload.approval_id);
    case "approval.resolved":
      return settled(walk.prompts, event.payload.approval_id);
    case "clarify.requested":
      return opened(walk.prompts, event.payload.clarify_id);
    case "clarify.resolved":
      return settled(walk.prompts, event.payload.clarify_id);
    default:
      return null;
  }
}

function opened(things: Map<string, Settling>, id: string): string | null {
  if (things.has(id)) return "opens the same call or prompt twice";
  things.set(id, "open");
  return null;
}

function settled(things: Map<string, Settling>, id: string): string | null {
  if (things.get(id) !== "open") return "settles a call or prompt that is not open";
  things.set(id, "settled");
  return null;
}

/** An error that ends nothing is work like any other. */
function moveOf(event: RunEvent): LifecycleMove {
  return event.type === "error" && !event.terminal ? "work" : lifecycleMoveOf(event);
}
