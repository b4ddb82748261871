import { type DragEvent, type FormEvent, type ReactNode, type Ref, useState } from "react";
import type { QueueMode } from "#protocol/event-values";
import { type AttachmentTile, AttachmentTiles } from "./attachment-tiles";
import { BusyChip, BusySegment } from "./busy-mode";
import type { CommandChoice } from "./command-menu";
import { AttachButton, SendButton, StopButton } from "./composer-buttons";
import { ComposerField } from "./composer-field";
import { droppedFiles, type DroppedFiles } from "./dropped-files";

export interface ComposerProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  /** There is something that can be sent now. */
  readonly ready: boolean;
  readonly running: "no" | "yes" | "stopping";
  readonly onStop: () => void;
  readonly mode: QueueMode;
  readonly offeredModes: readonly QueueMode[];
  readonly onMode: (mode: QueueMode) => void;
  readonly tiles: readonly AttachmentTile[];
  readonly onFiles: (files: Promise<DroppedFiles>) => void;
  readonly onRemoveFile: (key: string) => void;
  readonly onRetryFile: (key: string) => void;
  readonly commands: readonly CommandChoice[];
  readonly onCommand: (command: CommandChoice) => void;
  readonly pickers: ReactNode;
  readonly fieldRef?: Ref<HTMLTextAreaElement>;
  readonly eager?: boolean;
}

export function Composer(props: ComposerProps) {
  const { ready, onSend, onFiles } = props;
  const [dropping, setDropping] = useState(false);
  const send = (): void => {
    if (ready) onSend();
  };
  const onDrag = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setDropping(event.type === "dragover");
    if (event.type === "drop") onFiles(droppedFiles(event.dataTransfer));
  };
  return (
    // The whole box takes files; for the keyboard there is the button "Attach files".
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        send();
      }}
      onDragOver={onDrag}
      onDragLeave={onDrag}
      onDrop={onDrag}
      aria-label="New message"
      data-region=""
      data-edge=""
      className={`relative rounded-2xl pt-3.5 pr-3 pb-2.5 pl-[var(--hang)] low:pt-2 shadow-[inset_0_0_0_1px_var(--line),var(--lift)] has-[textarea:focus]:shadow-[inset_0_0_0_1.5px_var(--accent),var(--lift)] phone:rounded-[20px] phone:pt-3 phone:pr-1.5 phone:pb-1.5 ${dropping ? "bg-accent-wash" : "bg-raised"}`}
    >
      <AttachmentTiles tiles={props.tiles} onRemove={props.onRemoveFile} onRetry={props.onRetryFile} />
      <ComposerField
        text={props.text}
        onText={props.onText}
        onSend={send}
        onFiles={onFiles}
        placeholder={dropping ? "Drop files to attach" : "Message"}
        commands={props.commands}
        onCommand={props.onCommand}
        fieldRef={props.fieldRef}
        eager={props.eager}
      />
      <ComposerBar {...props} />
    </form>
  );
}

/** Below the words: what goes along, who answers, what Send does. */
function ComposerBar(props: ComposerProps) {
  const busy = props.running !== "no";
  const modes = { mode: props.mode, offered: props.offeredModes, onChange: props.onMode };
  return (
    <div className="mt-2.5 -ml-2 flex min-w-0 items-center gap-0.5 phone:mt-0.5 phone:-ml-2.5">
      <AttachButton onFiles={props.onFiles} />
      <span className={`flex min-w-0 items-center gap-0.5 ${busy ? "phone:hidden" : ""}`}>{props.pickers}</span>
      {busy ? <BusyChip {...modes} /> : null}
      <span className="flex-1" />
      {busy ? <BusySegment {...modes} /> : null}
      {busy ? <StopButton stopping={props.running === "stopping"} onStop={props.onStop} /> : null}
      <SendButton ready={props.ready} />
    </div>
  );
}
