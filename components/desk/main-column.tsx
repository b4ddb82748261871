import type { ReactNode } from "react";
import { useClient } from "#client/context";
import { useConnection } from "#client/use-connection";
import { ConnectionBanner } from "./connection-banner";
import { useDesk } from "./desk-context";
import { PANEL_WIDTH, SIDE_WIDTH } from "./look";
import { ResizeHandle } from "./resize-handle";

interface MainColumnProps {
  readonly hasPanel?: boolean;
  readonly children: ReactNode;
}

/** The conversation's column with the handles of its neighbours. What the connection has to say lies over it and moves nothing. */
export function MainColumn({ hasPanel = false, children }: MainColumnProps) {
  const client = useClient();
  const desk = useDesk();
  const { look } = desk;
  const state = useConnection();
  return (
    <main className="relative flex min-w-0 flex-1 flex-col bg-paper">
      {look.side && desk.place.kind === "session" ? (
        <ResizeHandle label="Width of the sessions" side="left" width={look.sideWidth} limits={SIDE_WIDTH} onResize={(sideWidth) => desk.changeLook({ sideWidth })} />
      ) : null}
      {children}
      {look.panel && hasPanel ? (
        <ResizeHandle label="Width of the panel" side="right" width={look.panelWidth} limits={PANEL_WIDTH} onResize={(panelWidth) => desk.changeLook({ panelWidth })} />
      ) : null}
      <ConnectionBanner state={state} runnerTrouble={desk.runnerTrouble} onTryNow={client.tryNow} onLogin={desk.login} />
    </main>
  );
}
