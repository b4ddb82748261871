import type { ReactNode } from "react";
import { type Look, PANEL_WIDTH, SIDE_WIDTH } from "./look";
import { ResizeHandle } from "./resize-handle";

interface DeskFrameProps {
  readonly look: Look;
  readonly onLook: (changes: Partial<Look>) => void;
  readonly sidebar: ReactNode;
  /** The conversation's column, and a `PanelColumn` where the place has one. */
  readonly children: ReactNode;
}

/** Sessions, conversation, panel. Which columns there is room for is decided by the style sheet alone. */
export function DeskFrame({ look, onLook, sidebar, children }: DeskFrameProps) {
  return (
    <div className="flex h-dvh overflow-hidden bg-paper">
      {look.side ? (
        <div className="relative flex-none max-wide:max-w-[248px] max-mid:hidden" style={{ width: look.sideWidth }}>
          {sidebar}
          <ResizeHandle label="Width of the sessions" side="left" width={look.sideWidth} limits={SIDE_WIDTH} onResize={(sideWidth) => onLook({ sideWidth })} />
        </div>
      ) : null}
      {children}
    </div>
  );
}

interface PanelColumnProps {
  readonly look: Look;
  readonly onLook: (changes: Partial<Look>) => void;
  readonly children: ReactNode;
}

export function PanelColumn({ look, onLook, children }: PanelColumnProps) {
  if (!look.panel) return null;
  return (
    <div className="relative flex-none border-l border-hair max-wide:hidden" style={{ width: look.panelWidth }}>
      <ResizeHandle label="Width of the panel" side="right" width={look.panelWidth} limits={PANEL_WIDTH} onResize={(panelWidth) => onLook({ panelWidth })} />
      {children}
    </div>
  );
}
