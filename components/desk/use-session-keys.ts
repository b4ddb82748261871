/** The keys that mean something in an open session. Esc twice stops the turn; the first time it says so. */
import { type RefObject, useState } from "react";
import { activeRun } from "#fold/session-selectors";
import type { SessionView } from "#fold/session-view";
import type { Turn } from "#fold/transcript";
import { useNow } from "../look/use-now";
import type { TranscriptHandle } from "../transcript/transcript";
import { useDesk } from "./desk-context";
import { focusRegion, useHotkeys } from "./hotkeys";
import { useRunControls } from "./use-run-controls";

interface SessionKeysPlan {
  readonly view: SessionView;
  readonly turns: readonly Turn[];
  readonly transcript: RefObject<TranscriptHandle | null>;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly onFind: () => void;
  /** Closes what lies nearest above the conversation; false when nothing does. */
  readonly onClose: () => boolean;
  readonly onPanel: () => void;
}

const ARMED_S = 3;

export function useSessionKeys({ view, turns, transcript, field, onFind, onClose, onPanel }: SessionKeysPlan): { readonly stopArmed: boolean } {
  const { look, changeLook } = useDesk();
  const controls = useRunControls(view);
  const [armedAt, setArmedAt] = useState<number | null>(null);
  const now = useNow(armedAt !== null);
  const running = activeRun(view)?.run_id ?? null;
  const stopArmed = running !== null && armedAt !== null && now - armedAt < ARMED_S;
  const lastMessage = turns.findLast((turn) => turn.run.message !== null)?.run.run_id;

  useHotkeys({
    find: onFind,
    panel: () => (window.matchMedia("(width >= 1200px)").matches ? changeLook({ panel: !look.panel }) : onPanel()),
    lastMessage: () => lastMessage !== undefined && transcript.current?.reveal(lastMessage, "[data-row]"),
    prompt: () => transcript.current?.focusPrompt() !== true && field.current?.focus(),
    region: () => focusRegion(1),
    regionBack: () => focusRegion(-1),
    escape: () => {
      if (onClose() || running === null) return;
      setArmedAt(stopArmed ? null : Date.now() / 1000);
      if (stopArmed) controls.stop();
    },
  });
  return { stopArmed };
}
