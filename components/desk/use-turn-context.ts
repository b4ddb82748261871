import { useCallback, useMemo, useState } from "react";
import { useStore } from "zustand";
import { useClient } from "#client/context";
import { activeRun } from "#fold/session-selectors";
import type { SessionFacts, SessionView } from "#fold/session-view";
import type { TurnContext } from "../transcript/turn-view";
import { useDesk } from "./desk-context";
import { useTranscriptActions } from "./use-transcript-actions";

interface ShownRuns extends Pick<SessionView, "runs"> {
  readonly session: Pick<SessionFacts, "session_id">;
}

interface TurnPlan {
  readonly onChangeModel: () => void;
  readonly renderChild: TurnContext["renderChild"];
}

/** What all turns of a session share; one object as long as nothing in it changes. The plan's functions keep their identity. */
export function useTurnContext(view: ShownRuns, { onChangeModel, renderChild }: TurnPlan): TurnContext {
  const { prompts } = useClient();
  const { look } = useDesk();
  const answers = useStore(prompts.store, (state) => state.answers);
  const [openRows, setOpenRows] = useState<ReadonlySet<string>>(new Set());
  const [editingRun, setEditingRun] = useState<string | null>(null);
  const onToggle = useCallback((key: string) => {
    setOpenRows((rows) => {
      const next = new Set(rows);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);
  const onEndEdit = useCallback(() => setEditingRun(null), []);
  const actions = useTranscriptActions({ sessionId: view.session.session_id, onEdit: setEditingRun, onChangeModel });
  const busy = activeRun(view) !== null;
  return useMemo(
    () => ({ mode: look.view, actions, answers, openRows, onToggle, editingRun, onEndEdit, busy, renderChild }),
    [look.view, actions, answers, openRows, onToggle, editingRun, onEndEdit, busy, renderChild],
  );
}
