import { Ban, Check } from "lucide-react";
import { Icon } from "../look/icon";
import { GutterLine } from "../transcript/gutter-line";
import type { SettledLine } from "./prompt-words";

/** What stays of a prompt once it is answered. */
export function SettledPrompt({ line }: { readonly line: SettledLine }) {
  return (
    <GutterLine icon={<Icon of={line.done ? Check : Ban} />}>
      {line.text}
      {line.quote === null ? null : (
        <>
          {" "}
          <q className="text-ink [quotes:'“'_'”']">{line.quote}</q>
        </>
      )}
    </GutterLine>
  );
}
