import { ArrowUp, Paperclip, Square } from "lucide-react";
import { useRef } from "react";
import { Button } from "../look/button";
import { Icon } from "../look/icon";
import { IconButton } from "../look/icon-button";
import type { DroppedFiles } from "./dropped-files";

export function AttachButton({ onFiles }: { readonly onFiles: (files: Promise<DroppedFiles>) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label="Attach files" icon={Paperclip} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          onFiles(Promise.resolve({ files: Array.from(event.target.files ?? []), left: false }));
          event.target.value = "";
        }}
      />
    </>
  );
}

export function StopButton({ stopping, onStop }: { readonly stopping: boolean; readonly onStop: () => void }) {
  return (
    <Button aria-label="Stop" aria-disabled={stopping} onClick={stopping ? undefined : onStop} className="pl-2.5 touch:rounded-[14px]">
      <Icon of={Square} size={12} className="fill-current stroke-none" />
      {stopping ? "Stopping" : "Stop"}
    </Button>
  );
}

/** Grey until there is something to send; it keeps its place. */
export function SendButton({ ready }: { readonly ready: boolean }) {
  return (
    <button
      type="submit"
      aria-label="Send"
      disabled={!ready}
      title={ready ? "Send" : "Write something first"}
      className={`ml-1.5 grid size-8 flex-none place-items-center rounded-[10px] transition-colors duration-[120ms] touch:size-11 touch:rounded-[14px] ${ready ? "bg-accent-solid text-on-accent" : "bg-fill text-faint"}`}
    >
      <Icon of={ArrowUp} />
    </button>
  );
}
