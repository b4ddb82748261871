/** What a run is doing right now and since when: the live line's words. */
import type { RunView, ViewPart } from "#protocol/run-view";
import type { ActiveStatus } from "#protocol/status";
import { isActive } from "#protocol/status";
import { type ToolKind, toolKindOf } from "./tool-words";

export interface RunPhase {
  /** Present, to be followed by "for 4 s". */
  readonly label: string;
  /** Unix seconds, null where nothing runs that could be counted. */
  readonly since: number | null;
}

const DOING: Readonly<Record<ToolKind, string>> = {
  command: "Running a command",
  process: "Looking at a process",
  read: "Reading a file",
  list: "Listing a folder",
  write: "Writing a file",
  edit: "Changing a file",
  search: "Searching the files",
  fetch: "Opening a page",
  handOn: "Waiting for its helper",
  plan: "Planning",
  ask: "Asking",
  remember: "Remembering",
  recall: "Looking back",
  skill: "Reading a skill",
  other: "Using a tool",
};

/** Null where there is no live line: the run is over, or a prompt above says all there is to say. */
export function runPhase(run: RunView): RunPhase | null {
  if (!isActive(run.status)) return null;
  return PHASES[run.status](run);
}

const PHASES: Readonly<Record<ActiveStatus, (run: RunView) => RunPhase | null>> = {
  queued: (run) => ({ label: sentenceStem(run.reason) ?? "Waiting for a free place", since: null }),
  running: workPhase,
  awaiting_approval: () => null,
  awaiting_clarify: () => null,
  paused: () => ({ label: "Paused", since: null }),
  cancelling: () => ({ label: "Stopping", since: null }),
};

function sentenceStem(sentence: string | null): string | null {
  return sentence === null || sentence === "" ? null : sentence.replace(/\.$/, "");
}

function workPhase(run: RunView): RunPhase {
  const { parts } = run;
  const running = parts.findLast((part) => part.type === "tool" && part.status === "running");
  if (running?.type === "tool") return { label: DOING[toolKindOf(running.name)], since: running.started_at };
  const last = parts.at(-1);
  if (last?.type === "reasoning" && !last.done) return { label: "Thinking", since: last.started_at };
  const began = parts.slice(0, -1).reduce((latest, part) => Math.max(latest, endOf(part)), run.started_at);
  if (last?.type === "text") return { label: "Writing", since: began };
  return { label: "Waiting for the model", since: last === undefined ? run.started_at : Math.max(began, endOf(last)) };
}

/** When a part was over, as far as it says; 0 when it does not. */
function endOf(part: ViewPart): number {
  if (part.type === "reasoning") return part.ended_at ?? part.started_at;
  if (part.type === "tool") return part.started_at === null ? 0 : part.started_at + (part.duration_ms ?? 0) / 1000;
  if (part.type === "approval" || part.type === "clarify") return part.resolved_at ?? 0;
  return part.type === "steer" ? (part.applied_at ?? 0) : 0;
}
