import { type KeyboardEvent, type PointerEvent, useState } from "react";

interface ResizeHandleProps {
  readonly label: string;
  /** The column that it sizes lies on this side of it. */
  readonly side: "left" | "right";
  readonly width: number;
  readonly limits: { readonly least: number; readonly usual: number; readonly most: number };
  readonly onResize: (width: number) => void;
}

const KEY_STEP_PX = 16;

/** A border that can be moved: by the pointer, by the arrow keys, back to the usual width by a double press. */
export function ResizeHandle({ label, side, width, limits, onResize }: ResizeHandleProps) {
  const [start, setStart] = useState<{ readonly x: number; readonly width: number; readonly scale: number } | null>(null);
  const sign = side === "left" ? 1 : -1;
  const resize = (next: number): void => onResize(Math.round(Math.min(limits.most, Math.max(limits.least, next))));
  const grab = (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    // Widths are kept at the usual text size, the pointer moves at the present one.
    const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    setStart({ x: event.clientX, width, scale });
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? KEY_STEP_PX : event.key === "ArrowLeft" ? -KEY_STEP_PX : 0;
    if (step === 0) return;
    event.preventDefault();
    resize(width + step * sign);
  };
  return (
    <button
      type="button"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={limits.least}
      aria-valuemax={limits.most}
      onPointerDown={grab}
      onPointerMove={(event) => start !== null && resize(start.width + ((event.clientX - start.x) / start.scale) * sign)}
      onPointerUp={() => setStart(null)}
      onPointerCancel={() => setStart(null)}
      onDoubleClick={() => resize(limits.usual)}
      onKeyDown={onKey}
      className={`absolute inset-y-0 z-20 w-2 cursor-col-resize touch-none outline-none after:absolute after:inset-y-0 after:left-[3px] after:w-0.5 after:rounded-full after:transition-colors after:duration-[120ms] hover:after:bg-line focus-visible:after:bg-accent ${start === null ? "" : "after:bg-accent"} ${side === "left" ? "-left-1 max-wide:hidden" : "-right-1 max-wide:hidden"}`}
    />
  );
}
