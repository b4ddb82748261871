import { useCallback } from "react";
import type { SessionView } from "#fold/session-view";
import { useNow } from "../look/use-now";
import type { BackgroundProcess } from "../panel/activity";
import { wholeDurationWords } from "../words/time-words";
import { useDesk } from "./desk-context";
import { useRemote } from "./use-remote";

interface Processes {
  readonly list: readonly BackgroundProcess[];
  readonly stop: (processId: string) => void;
}

/** Calls that may begin or end a process in the background: only then the list is asked for again. */
function backgroundMark(view: SessionView): number {
  return view.runs.reduce(
    (count, run) => count + run.parts.filter((part) => part.type === "tool" && part.status === "ok" && startsProcess(part.arguments)).length + (run.source === "process" ? 1 : 0),
    0,
  );
}

function startsProcess(callArguments: Readonly<Record<string, unknown>>): boolean {
  return callArguments["background"] === true || callArguments["action"] === "kill";
}

/** Whole minutes, as the list is looked at once a minute. */
function ageWords(seconds: number): string {
  return seconds < 60 ? "less than a minute" : wholeDurationWords(Math.floor(seconds / 60) * 60);
}

/** What still runs in the background of the session, and the way to stop it. */
export function useProcesses(view: SessionView): Processes {
  const { routes, tell } = useDesk();
  const sessionId = view.session.session_id;
  const mark = backgroundMark(view);
  const load = useCallback(() => routes.processes(sessionId), [routes, sessionId]);
  const remote = useRemote(mark === 0 ? null : `${sessionId}:${mark}`, load);
  const running = (remote.value?.processes ?? []).filter((process) => process.ended_at === null);
  const now = useNow(running.length > 0, 60);
  const stop = async (processId: string): Promise<void> => {
    const answer = await routes.stopProcess(sessionId, processId);
    if (!answer.ok) tell({ text: answer.message });
    remote.reload();
  };
  return {
    list: running.map((process) => ({
      id: process.process_id,
      command: process.command,
      fact: `for ${ageWords(now - process.started_at)}`,
    })),
    stop: (processId) => void stop(processId),
  };
}
