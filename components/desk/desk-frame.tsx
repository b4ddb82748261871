import type { ReactNode } from "react";
import { columnWidth, type Look } from "./look";

interface DeskFrameProps {
  readonly look: Look;
  readonly sidebar: ReactNode;
  /** The conversation's column, and a `PanelColumn` where the place has one. */
  readonly children: ReactNode;
}

/** Sessions, conversation, panel. Which columns there is room for is decided by the style sheet alone. */
export function DeskFrame({ look, sidebar, children }: DeskFrameProps) {
  return (
    <div className="flex h-dvh overflow-hidden bg-paper">
      {look.side ? (
        <div className="flex-none max-wide:max-w-[15.5rem] max-mid:hidden" style={{ width: columnWidth(look.sideWidth) }}>
          {sidebar}
        </div>
      ) : null}
      {children}
    </div>
  );
}

export function PanelColumn({ look, children }: { readonly look: Look; readonly children: ReactNode }) {
  if (!look.panel) return null;
  return (
    <div className="flex-none border-l border-hair max-wide:hidden" style={{ width: columnWidth(look.panelWidth) }}>
      {children}
    </div>
  );
}
