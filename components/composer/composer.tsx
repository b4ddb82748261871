import { type ClipboardEvent, type DragEvent, type FormEvent, type KeyboardEvent, type ReactNode, type Ref, useId, useState } from "react";
import type { QueueMode } from "#protocol/events";
import { type AttachmentTile, AttachmentTiles } from "./attachment-tiles";
import { BusyChip, BusySegment } from "./busy-mode";
import { type CommandChoice, CommandMenu, commandOptionId } from "./command-menu";
import { AttachButton, SendButton, StopButton } from "./composer-buttons";
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
  /** Commands that the text so far may mean; empty when it means none. */
  readonly commands: readonly CommandChoice[];
  readonly onCommand: (command: CommandChoice) => void;
  readonly pickers: ReactNode;
  readonly fieldRef?: Ref<HTMLTextAreaElement>;
}

export function Composer(props: ComposerProps) {
  const { text, running, tiles, commands } = props;
  const [dropping, setDropping] = useState(false);
  const [choice, setChoice] = useState({ of: "", index: 0, closed: false });
  const menuId = useId();
  const busy = running !== "no";
  const menu = choice.of === text ? choice : { of: text, index: 0, closed: false };
  const menuOpen = commands.length > 0 && !menu.closed;
  const active = Math.min(menu.index, commands.length - 1);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (props.ready) props.onSend();
  };
  const onMenuKey = (event: KeyboardEvent): boolean => {
    const chosen = commands[active];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      setChoice({ ...menu, index: (active + step + commands.length) % commands.length });
    } else if (event.key === "Escape") setChoice({ ...menu, closed: true });
    else if ((event.key === "Enter" || event.key === "Tab") && chosen !== undefined) props.onCommand(chosen);
    else return false;
    return true;
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // While an input method composes, Enter belongs to it (229 in browsers that end composing first).
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const taken = menuOpen && !event.shiftKey && onMenuKey(event);
    if (taken) event.stopPropagation();
    else if (event.key !== "Enter" || event.shiftKey || event.altKey) return;
    else if (props.ready) props.onSend();
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent): void => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    props.onFiles(droppedFiles(event.clipboardData));
  };
  const onDrag = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setDropping(event.type === "dragover");
    if (event.type === "drop") props.onFiles(droppedFiles(event.dataTransfer));
  };

  return (
    <form
      onSubmit={submit}
      onDragOver={onDrag}
      onDragLeave={onDrag}
      onDrop={onDrag}
      aria-label="New message"
      data-edge=""
      className={`relative rounded-2xl pt-3.5 pr-3 pb-2.5 pl-[var(--hang)] shadow-[inset_0_0_0_1px_var(--line),var(--lift)] has-[textarea:focus]:shadow-[inset_0_0_0_1.5px_var(--accent),var(--lift)] phone:rounded-[20px] phone:pt-3 phone:pr-1.5 phone:pb-1.5 ${dropping ? "bg-accent-wash" : "bg-raised"}`}
    >
      {menuOpen ? (
        <CommandMenu id={menuId} commands={commands} active={active} onActive={(index) => setChoice({ ...menu, index })} onChoose={props.onCommand} />
      ) : null}
      <AttachmentTiles tiles={tiles} onRemove={props.onRemoveFile} onRetry={props.onRetryFile} />
      <div className="grow text-16 thin-scroll" data-text={text}>
        <textarea
          ref={props.fieldRef}
          aria-label="Message"
          placeholder={dropping ? "Drop files to attach" : "Message"}
          rows={1}
          value={text}
          enterKeyHint="send"
          aria-autocomplete="list"
          aria-controls={menuOpen ? menuId : undefined}
          aria-activedescendant={menuOpen ? commandOptionId(menuId, active) : undefined}
          onChange={(event) => props.onText(event.target.value)}
          onKeyDown={onKey}
          onPaste={onPaste}
          className="bg-transparent outline-none"
        />
      </div>
      <div className="mt-2.5 -ml-2 flex min-w-0 items-center gap-0.5 phone:mt-0.5 phone:-ml-2.5">
        <AttachButton onFiles={props.onFiles} />
        <span className={`flex min-w-0 items-center gap-0.5 ${busy ? "phone:hidden" : ""}`}>{props.pickers}</span>
        {busy ? <BusyChip mode={props.mode} offered={props.offeredModes} onChange={props.onMode} /> : null}
        <span className="flex-1" />
        {busy ? <BusySegment mode={props.mode} offered={props.offeredModes} onChange={props.onMode} /> : null}
        {busy ? <StopButton stopping={running === "stopping"} onStop={props.onStop} /> : null}
        <SendButton ready={props.ready} />
      </div>
    </form>
  );
}
