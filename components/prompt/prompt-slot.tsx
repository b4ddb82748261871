/**
 * The place of a prompt in the transcript. While it waits it is a card, then one line. Answered by the
 * reader it closes at once; answered elsewhere or run out of time it keeps its height until it is out
 * of view, so that nothing moves under the pointer.
 */
import { type ReactNode, useCallback, useState } from "react";

interface PromptSlotProps {
  readonly pending: boolean;
  /** The answer came from this card. */
  readonly answeredHere: boolean;
  readonly card: ReactNode;
  readonly line: ReactNode;
}

export function PromptSlot({ pending, answeredHere, card, line }: PromptSlotProps) {
  const [height, setHeight] = useState<number | null>(null);
  const measure = useCallback((element: HTMLDivElement | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setHeight(element.offsetHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const release = useCallback((element: HTMLDivElement | null) => {
    if (element === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => !entry.isIntersecting)) setHeight(null);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  if (pending) return <div ref={measure}>{card}</div>;
  const kept = answeredHere ? null : height;
  return (
    <div key="settled" ref={kept === null ? undefined : release} style={kept === null ? undefined : { minHeight: kept }}>
      {line}
    </div>
  );
}
