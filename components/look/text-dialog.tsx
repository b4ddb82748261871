import { type FormEvent, useState } from "react";
import { Button } from "./button";
import { DialogLayer } from "./sheet";
import { TextField } from "./text-field";

interface TextDialogProps {
  readonly title: string;
  readonly label: string;
  readonly initial: string;
  readonly action: string;
  readonly onSubmit: (text: string) => void;
  readonly onClose: () => void;
}

/** One name to give. Mounted only while it is open, so that it starts from the current name. */
export function TextDialog({ title, label, initial, action, onSubmit, onClose }: TextDialogProps) {
  const [text, setText] = useState(initial);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === "") return;
    onSubmit(text.trim());
    onClose();
  };
  return (
    <DialogLayer open onClose={onClose} title={title}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField label={label} value={text} onChange={setText} autoFocus onFocus={(event) => event.currentTarget.select()} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="solid" type="submit">
            {action}
          </Button>
        </div>
      </form>
    </DialogLayer>
  );
}
