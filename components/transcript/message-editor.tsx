import { type FormEvent, type KeyboardEvent, useState } from "react";
import { Button } from "../look/button";

interface MessageEditorProps {
  readonly text: string;
  readonly onSend: (text: string) => void;
  readonly onEnd: () => void;
}

/** A message that is written anew: the turn it began is asked again with the new words. */
export function MessageEditor({ text: initial, onSend, onEnd }: MessageEditorProps) {
  const [text, setText] = useState(initial);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === "") return;
    onSend(text);
    onEnd();
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      onEnd();
    } else if (event.key === "Enter" && !event.shiftKey) submit(event);
  };
  return (
    <form onSubmit={submit} className="hang rounded-xl bg-raised py-3 text-16 shadow-[inset_0_0_0_1.5px_var(--accent),var(--lift)]" data-edge="">
      <div className="grow-field thin-scroll" data-text={text}>
        <textarea
          aria-label="Message, written anew"
          value={text}
          autoFocus
          rows={1}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKey}
          className="bg-transparent outline-none"
        />
      </div>
      <div className="-mr-3 mt-2 flex items-center justify-end gap-2">
        <p className="mr-auto text-12 text-faint">What came after it is taken out and can be restored by /undo back</p>
        <Button onClick={onEnd}>Cancel</Button>
        <Button kind="solid" type="submit">
          Send again
        </Button>
      </div>
    </form>
  );
}
