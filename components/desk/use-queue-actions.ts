import type { ApiResult } from "#client/api-result";
import { useClient } from "#client/context";
import { activeRun, isQueueHeld } from "#fold/session-selectors";
import type { SessionView } from "#fold/session-view";
import type { QueueItem } from "#protocol/event-values";
import type { QueueActions } from "../composer/queue-entry";
import { useDesk } from "./desk-context";

interface SessionQueue {
  readonly items: readonly QueueItem[];
  readonly held: "no" | "stopped" | "failed";
  readonly actions: QueueActions;
}

/** The session's queue. Words that were added to the running turn are drawn there, not here. */
export function useQueueActions(view: SessionView): SessionQueue {
  const { api } = useClient();
  const { tell } = useDesk();
  const run = activeRun(view);
  const added = new Set(run?.parts.flatMap((part) => (part.type === "steer" ? [part.queue_id] : [])) ?? []);
  const settle = async (request: Promise<ApiResult<unknown>>): Promise<void> => {
    const answer = await request;
    if (!answer.ok) tell({ text: answer.message });
  };
  const canSteer = run?.controls.includes("steer") ?? false;
  const held = isQueueHeld(view) ? (view.queue_held_reason === "failed" ? "failed" : "stopped") : "no";
  return {
    items: view.queue.filter((item) => !added.has(item.queue_id)),
    held,
    actions: {
      move: (queueId, before) => void settle(api.chat.changeQueued({ queue_id: queueId, before })),
      steerNow: canSteer ? (queueId) => void settle(api.chat.changeQueued({ queue_id: queueId, mode: "steer" })) : null,
      edit: (queueId, message) => void settle(api.chat.changeQueued({ queue_id: queueId, message })),
      remove: (queueId) => void settle(api.chat.removeQueued(queueId)),
      resume: () => void settle(api.chat.resumeQueue(view.session.session_id)),
    },
  };
}
