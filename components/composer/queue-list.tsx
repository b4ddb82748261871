import { type DragEvent, useState } from "react";
import type { QueueItem } from "#protocol/event-values";
import { Button } from "../look/button";
import { DRAGGED_ITEM, type QueueActions, QueueEditor, QueueEntry, QueueGrip } from "./queue-entry";

interface QueueListProps {
  readonly items: readonly QueueItem[];
  readonly held: "no" | "stopped" | "failed";
  readonly actions: QueueActions;
}

const HEADING: Readonly<Record<QueueListProps["held"], string>> = {
  no: "Next, in this order",
  stopped: "Held since the turn was stopped",
  failed: "Held since the turn failed",
};

/** What is sent next, above the composer. */
export function QueueList({ items, held, actions }: QueueListProps) {
  const [editing, setEditing] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  if (items.length === 0) return null;
  const moveBy = (index: number, step: -1 | 1): void => {
    // Down by one is the next item up by one: the queue only knows "in front of".
    const [first, second] = step === -1 ? [items[index - 1], items[index]] : [items[index], items[index + 1]];
    if (first !== undefined && second !== undefined) actions.move(second.queue_id, first.queue_id);
  };
  return (
    <section aria-label={HEADING[held]} className="mb-2 px-[var(--hang)]">
      <div className="mb-1 flex min-h-4 items-center text-12 font-medium text-faint">
        <h2>{HEADING[held]}</h2>
        {held === "no" ? null : (
          <Button kind="bare" onClick={actions.resume} className="-my-1 ml-auto -mr-3">
            Continue
          </Button>
        )}
      </div>
      <ol className="max-h-40 overflow-y-auto thin-scroll -mx-[var(--hang)] px-[var(--hang)]">
        {items.map((item, index) => (
          // Takes what is dragged onto it; the keyboard moves by the grip.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={item.queue_id}
            onDragOver={(event) => (event.preventDefault(), setOver(item.queue_id))}
            onDrop={(event) => (dropped(event, item.queue_id, actions), setOver(null))}
            className={`relative flex min-h-8 items-center gap-2 text-14 touch:min-h-11 ${over === item.queue_id ? "shadow-[0_-2px_0_var(--accent)]" : ""}`}
          >
            <QueueGrip text={item.text} queueId={item.queue_id} onMove={(step) => moveBy(index, step)} onEnd={() => setOver(null)} />
            {editing === item.queue_id ? (
              <QueueEditor item={item} onSave={(text) => actions.edit(item.queue_id, text)} onEnd={() => setEditing(null)} />
            ) : (
              <QueueEntry item={item} actions={actions} onEdit={() => setEditing(item.queue_id)} />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function dropped(event: DragEvent, before: string, actions: QueueActions): void {
  const queueId = event.dataTransfer.getData(DRAGGED_ITEM);
  if (queueId === "" || queueId === before) return;
  event.preventDefault();
  actions.move(queueId, before);
}
