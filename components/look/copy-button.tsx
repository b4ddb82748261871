import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { IconButton } from "./icon-button";

interface CopyButtonProps {
  readonly text: () => string;
  readonly label?: string;
  readonly size?: 32 | 28 | 24;
  readonly className?: string;
}

type CopyState = "idle" | "copied" | "refused";
const LABEL: Readonly<Record<CopyState, (label: string) => string>> = {
  idle: (label) => label,
  copied: () => "Copied",
  refused: () => "The browser did not allow it",
};

/** Says what became of it in its own place, until the pointer or the focus leaves it. */
export function CopyButton({ text, label = "Copy", size = 32, className = "" }: CopyButtonProps) {
  const [state, setState] = useState<CopyState>("idle");
  const copy = (): void => {
    const clipboard: Clipboard | undefined = navigator.clipboard;
    if (clipboard === undefined) {
      setState(copyBySelection(text()) ? "copied" : "refused");
      return;
    }
    clipboard.writeText(text()).then(
      () => setState("copied"),
      () => setState(copyBySelection(text()) ? "copied" : "refused"),
    );
  };
  return (
    <IconButton
      label={LABEL[state](label)}
      icon={state === "copied" ? Check : Copy}
      iconSize={14}
      size={size}
      className={className}
      onClick={copy}
      onPointerLeave={() => setState("idle")}
      onBlur={() => setState("idle")}
    />
  );
}

/** The way that works on plain http from another machine, where there is no clipboard API. */
function copyBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr-only";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
