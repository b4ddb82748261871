import { type ClipboardEvent, type KeyboardEvent, type Ref, useId, useState } from "react";
import { type CommandChoice, CommandMenu, commandOptionId } from "./command-menu";
import { droppedFiles, type DroppedFiles } from "./dropped-files";

export interface ComposerFieldProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Enter, when there is something to send. */
  readonly onSend: () => void;
  readonly onFiles: (files: Promise<DroppedFiles>) => void;
  readonly placeholder: string;
  /** Commands that the text so far may mean; empty when it means none. */
  readonly commands: readonly CommandChoice[];
  readonly onCommand: (command: CommandChoice) => void;
  readonly fieldRef?: Ref<HTMLTextAreaElement> | undefined;
  /** Takes the focus when it appears, where that opens no keyboard over the page. */
  readonly eager?: boolean | undefined;
}

/** The field "Message": grows with its text, sends by Enter, offers commands after a slash. */
export function ComposerField({ text, onText, onSend, onFiles, placeholder, commands, onCommand, fieldRef, eager = false }: ComposerFieldProps) {
  const [choice, setChoice] = useState({ of: "", index: 0, closed: false });
  const menuId = useId();
  const menu = choice.of === text ? choice : { of: text, index: 0, closed: false };
  const menuOpen = commands.length > 0 && !menu.closed;
  const active = Math.min(menu.index, commands.length - 1);

  const onMenuKey = (event: KeyboardEvent): boolean => {
    const chosen = commands[active];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      setChoice({ ...menu, index: (active + step + commands.length) % commands.length });
    } else if (event.key === "Escape") setChoice({ ...menu, closed: true });
    else if ((event.key === "Enter" || event.key === "Tab") && chosen !== undefined) onCommand(chosen);
    else return false;
    return true;
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // While an input method composes, Enter belongs to it (229 in browsers that end composing first).
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (menuOpen && !event.shiftKey && onMenuKey(event)) event.stopPropagation();
    else if (event.key === "Enter" && !event.shiftKey && !event.altKey) onSend();
    else return;
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent): void => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    onFiles(droppedFiles(event.clipboardData));
  };
  return (
    <>
      {menuOpen ? (
        <CommandMenu id={menuId} commands={commands} active={active} onActive={(index) => setChoice({ ...menu, index })} onChoose={onCommand} />
      ) : null}
      <div className="grow-field text-16 thin-scroll" data-text={text}>
        <textarea
          ref={fieldRef}
          aria-label="Message"
          placeholder={placeholder}
          rows={1}
          autoFocus={eager && window.matchMedia("(pointer: fine)").matches}
          value={text}
          enterKeyHint="send"
          aria-autocomplete="list"
          aria-controls={menuOpen ? menuId : undefined}
          aria-activedescendant={menuOpen ? commandOptionId(menuId, active) : undefined}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKey}
          onPaste={onPaste}
          className="bg-transparent outline-none"
        />
      </div>
    </>
  );
}
