import { CornerDownRight, GripVertical, Pencil, X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import type { QueueItem } from "#protocol/event-values";
import { Button } from "../look/button";
import { Icon } from "../look/icon";
import { IconButton } from "../look/icon-button";

export interface QueueActions {
  /** In front of another item. */
  readonly move: (queueId: string, before: string) => void;
  /** Gives it to the agent at its next step; null where nothing runs that could take it. */
  readonly steerNow: ((queueId: string) => void) | null;
  readonly edit: (queueId: string, text: string) => void;
  readonly remove: (queueId: string) => void;
  readonly resume: () => void;
}

/** What a drag of a queued message carries. */
export const DRAGGED_ITEM = "application/x-queue-item";

interface GripProps {
  readonly text: string;
  readonly queueId: string;
  readonly onMove: (step: -1 | 1) => void;
  readonly onEnd: () => void;
}

/** Dragged by the pointer, moved by the arrow keys. */
export function QueueGrip({ text, queueId, onMove, onEnd }: GripProps) {
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    onMove(event.key === "ArrowUp" ? -1 : 1);
  };
  return (
    <button
      type="button"
      draggable
      aria-label="Move up or down"
      title={text}
      onKeyDown={onKey}
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED_ITEM, queueId)}
      onDragEnd={onEnd}
      className="absolute left-[calc(-1*var(--hang)-4px)] grid size-6 cursor-grab place-items-center rounded-md text-faint phone:hidden"
    >
      <Icon of={GripVertical} />
    </button>
  );
}

export function QueueEntry({ item, actions, onEdit }: { readonly item: QueueItem; readonly actions: QueueActions; readonly onEdit: () => void }) {
  const { steerNow } = actions;
  return (
    <>
      <span title={item.text} className="min-w-0 flex-1 truncate">
        {item.text}
      </span>
      {steerNow === null ? null : (
        <IconButton size={28} iconSize={14} label="Give it to the agent now" icon={CornerDownRight} onClick={() => steerNow(item.queue_id)} className="-mx-0.5 phone:hidden" />
      )}
      <IconButton size={28} iconSize={14} label="Edit" icon={Pencil} onClick={onEdit} className="-mx-0.5 phone:hidden" />
      <IconButton size={28} iconSize={14} label="Remove" icon={X} onClick={() => actions.remove(item.queue_id)} className="-mx-0.5 phone:-mr-3.5" />
    </>
  );
}

interface QueueEditorProps {
  readonly item: QueueItem;
  readonly onSave: (text: string) => void;
  readonly onEnd: () => void;
}

export function QueueEditor({ item, onSave, onEnd }: QueueEditorProps) {
  const [text, setText] = useState(item.text);
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      onEnd();
    }
    if (event.key === "Enter" && text.trim() !== "") {
      event.preventDefault();
      onSave(text);
      onEnd();
    }
  };
  return (
    <>
      <input
        aria-label="Queued message"
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKey}
        className="-ml-2 min-w-0 flex-1 rounded-md bg-raised px-2 py-0.5 edge"
      />
      <Button kind="bare" onClick={() => text.trim() !== "" && (onSave(text), onEnd())}>
        Save
      </Button>
    </>
  );
}
