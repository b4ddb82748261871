/**
 * The place of a turn in a long transcript (B223). Near the view it holds the turn; far away it is one
 * empty box of the height that the turn had, so that thousands of messages stay a few thousand nodes.
 */
import { type ReactNode, useCallback, useRef, useState } from "react";
import type { NearWatch } from "./near-watch";

interface TurnSlotProps {
  readonly runId: string;
  readonly watch: NearWatch;
  /** Held whatever its distance: a short transcript, the newest turn, one that was asked for. */
  readonly held: boolean;
  readonly children: ReactNode;
}

const GUESSED_HEIGHT_PX = 240;

export function TurnSlot({ runId, watch, held, children }: TurnSlotProps) {
  const [near, setNear] = useState(held);
  const height = useRef(GUESSED_HEIGHT_PX);
  const observe = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined;
      return watch.watch(element, (next) => {
        if (!next && element.childElementCount > 0) height.current = element.offsetHeight;
        element.style.minHeight = next ? "" : `${height.current}px`;
        setNear(next);
      });
    },
    [watch],
  );
  const shown = held || near;
  return (
    <section ref={held ? undefined : observe} data-turn={runId} className="group/turn">
      {shown ? children : null}
    </section>
  );
}
