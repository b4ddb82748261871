import { useState } from "react";
import { useClient } from "#client/context";
import { activeRun } from "#fold/session-selectors";
import type { SessionView } from "#fold/session-view";
import { useDesk } from "./desk-context";

interface RunControls {
  /** Stop was asked for and the journal has not said so yet. */
  readonly stopping: boolean;
  /** Stops the run of the session on screen, and no other (B048). */
  readonly stop: () => void;
}

export function useRunControls(view: SessionView): RunControls {
  const { api } = useClient();
  const { tell } = useDesk();
  const [asked, setAsked] = useState<string | null>(null);
  const run = activeRun(view);
  const stop = async (runId: string): Promise<void> => {
    setAsked(runId);
    const answer = await api.chat.cancel(runId);
    if (answer.ok) return;
    setAsked(null);
    tell({ text: answer.message });
  };
  return {
    stopping: run !== null && asked === run.run_id,
    stop: () => {
      if (run !== null && asked !== run.run_id) void stop(run.run_id);
    },
  };
}
