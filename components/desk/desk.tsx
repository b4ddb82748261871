"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { createClient } from "#client/client";
import { ClientContext } from "#client/context";
import { useSessionList } from "#client/use-session-list";
import { createWindowBrowser } from "#client/window-browser";
import { EdgeLayer } from "../look/sheet";
import { DeskFrame } from "./desk-frame";
import { DeskContext, type DeskFacts } from "./desk-context";
import { DeskShell } from "./desk-shell";
import { FrontScreen } from "./front-screen";
import { useHotkeys } from "./hotkeys";
import { NoticeLine } from "./notice-line";
import { PaletteRoom } from "./palette-room";
import { SessionScreen } from "./session-screen";
import { SettingsRoom } from "./settings-room";
import { SidebarRoom } from "./sidebar-room";
import { useDeskState } from "./use-desk-state";
import { useLook } from "./use-look";
import { useWaitingSessions } from "./use-waiting-sessions";

const nothing = (): (() => void) => () => undefined;

/** The whole page. The server draws its columns; sessions are the browser's to open. */
export function Desk(facts: DeskFacts) {
  const isBrowser = useSyncExternalStore(nothing, () => true, () => false);
  return isBrowser ? <OpenDesk {...facts} /> : <DeskShell look={facts.look} />;
}

function OpenDesk(facts: DeskFacts) {
  const [client] = useState(() => createClient({ basePath: facts.basePath, browser: createWindowBrowser(window), createKey: createPageKey }));
  useEffect(() => client.start(), [client]);
  return (
    <ClientContext value={client}>
      <DeskRooms {...facts} />
    </ClientContext>
  );
}

/** Never made twice: the browser's own ids are for secure pages only, random bytes are everywhere. */
function createPageKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function DeskRooms(facts: DeskFacts) {
  const control = useLook(facts.look, facts.basePath);
  const state = useDeskState(facts, control);
  const { desk, sidebarOpen, setSidebarOpen } = state;
  const { place, look } = desk;
  const { sessions } = useSessionList();
  const waiting = useWaitingSessions().length;
  const toggleSidebar = (): void => (window.matchMedia("(width >= 980px)").matches ? desk.changeLook({ side: !look.side }) : setSidebarOpen(!sidebarOpen));
  useHotkeys({ palette: () => state.setPaletteOpen(!state.paletteOpen), sessions: toggleSidebar });
  const title = place.kind === "session" ? sessions.find((session) => session.session_id === place.sessionId)?.title : undefined;
  const isFirstRun = place.kind === "front";
  return (
    <DeskContext value={desk}>
      <title>{`${waiting === 0 ? "" : `(${waiting}) `}${title === undefined ? "" : `${title} · `}Hermes`}</title>
      {isFirstRun ? (
        <FrontScreen />
      ) : (
        <DeskFrame look={look} sidebar={<SidebarRoom as="column" onHide={() => desk.changeLook({ side: false })} />}>
          <SessionScreen key={place.sessionId} sessionId={place.sessionId} runId={place.runId} />
        </DeskFrame>
      )}
      <EdgeLayer open={sidebarOpen} onClose={() => setSidebarOpen(false)} title="Sessions" edge="left">
        <SidebarRoom as="layer" onHide={() => setSidebarOpen(false)} />
      </EdgeLayer>
      {state.paletteOpen ? <PaletteRoom onClose={() => state.setPaletteOpen(false)} /> : null}
      {state.settings === null ? null : <SettingsRoom page={state.settings} onPage={state.setSettings} onClose={() => state.setSettings(null)} />}
      <NoticeLine notice={state.notice} onClose={state.closeNotice} />
    </DeskContext>
  );
}
