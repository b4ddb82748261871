import { type ReactNode, useState } from "react";
import type { GoalAction } from "#client/chat-api";
import { useClient } from "#client/context";
import type { SessionView } from "#fold/session-view";
import { TextDialog } from "../look/text-dialog";
import type { GoalActions } from "../panel/goal-section";
import { useDesk } from "./desk-context";

export interface SessionGoal {
  readonly actions: GoalActions;
  readonly set: () => void;
  readonly dialog: ReactNode;
}

/** The goal's verbs. What stands on the page changes with the goal's own events. */
export function useGoal(view: SessionView): SessionGoal {
  const { api } = useClient();
  const { tell } = useDesk();
  const [asking, setAsking] = useState<"set" | "edit" | null>(null);
  const act = async (action: GoalAction, text?: string): Promise<void> => {
    const answer = await api.chat.changeGoal(view.session.session_id, action, text);
    if (!answer.ok) tell({ text: answer.message });
  };
  const dialog =
    asking === null ? null : (
      <TextDialog
        title={asking === "set" ? "Set a goal" : "Edit the goal"}
        label="When is it reached?"
        initial={asking === "edit" ? (view.goal?.goal ?? "") : ""}
        action={asking === "set" ? "Start" : "Save"}
        onSubmit={(text) => void act(asking, text)}
        onClose={() => setAsking(null)}
      />
    );
  return {
    actions: {
      pause: () => void act("pause"),
      resume: () => void act("resume"),
      edit: () => setAsking("edit"),
      clear: () => void act("clear"),
    },
    set: () => setAsking("set"),
    dialog,
  };
}
