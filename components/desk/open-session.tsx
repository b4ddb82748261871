import { useCallback, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { useClient } from "#client/context";
import { useSessionList } from "#client/use-session-list";
import { activeRun, newestRun, waitingSessions } from "#fold/session-selectors";
import type { SessionView } from "#fold/session-view";
import { EdgeLayer } from "../look/sheet";
import type { PanelTab } from "../panel/panel";
import { type OlderTurns, Transcript, type TranscriptHandle } from "../transcript/transcript";
import type { TurnContext } from "../transcript/turn-view";
import { useTurns } from "../transcript/use-turns";
import { Announcer } from "./announcer";
import { PanelColumn } from "./desk-frame";
import { useDesk } from "./desk-context";
import { FindBar } from "./find-bar";
import { MainColumn } from "./main-column";
import { OpenSessionHeader } from "./open-session-header";
import { SessionDock } from "./session-dock";
import { SessionPanel } from "./session-panel";
import { SessionStarters } from "./session-starters";
import { useGoal } from "./use-goal";
import { useOlderTurns } from "./use-older-turns";
import { useSeen } from "./use-seen";
import { useSessionKeys } from "./use-session-keys";
import { useTranscriptActions } from "./use-transcript-actions";

interface OpenSessionProps {
  readonly view: SessionView;
  readonly older: OlderTurns;
  readonly runId: string | null;
}

/** A session that is open: conversation, composer and panel over one view of it. */
export function OpenSession({ view, older, runId }: OpenSessionProps) {
  const desk = useDesk();
  const sessionId = view.session.session_id;
  const transcript = useRef<TranscriptHandle>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [modelsOpen, setModelsOpen] = useState(false);
  const [finding, setFinding] = useState(false);
  const [panelOpen, setPanelOpen] = useState(false);
  const [tab, setTab] = useState<PanelTab>("activity");
  const turns = useTurns(view.runs);
  const othersWaiting = useOthersWaiting(sessionId);
  const goal = useGoal(view);
  const context = useTurnContext(view, setModelsOpen);
  const closeFind = (): boolean => {
    setFinding(false);
    return finding;
  };
  const loading = useOlderTurns({ sessionId, runId, turns, older, transcript });
  const { stopArmed } = useSessionKeys({ view, transcript, field, turns, onFind: () => setFinding(true), onClose: closeFind, onPanel: () => setPanelOpen(true) });
  useSeen(sessionId, activeRun(view) === null && newestRun(view) !== null ? view.cursor : null);

  const panel = (as: "column" | "layer") => (
    <SessionPanel view={view} goal={goal} as={as} tab={tab} onTab={setTab} onHide={() => (as === "layer" ? setPanelOpen(false) : desk.changeLook({ panel: false }))} />
  );
  const showPanel = (): void => (window.matchMedia("(width >= 1200px)").matches ? desk.changeLook({ panel: true }) : setPanelOpen(true));
  return (
    <>
      <MainColumn hasPanel>
        <OpenSessionHeader view={view} goal={goal} empty={turns.length === 0} onFind={() => setFinding(true)} onPanel={showPanel} waiting={othersWaiting} />
        {finding ? <FindBar turns={turns} transcript={transcript} onLoadAll={older === "none" ? null : loading.all} onClose={() => setFinding(false)} /> : null}
        {turns.length === 0 ? (
          <SessionStarters view={view} />
        ) : (
          <Transcript key={sessionId} turns={turns} context={context} older={older} onLoadOlder={loading.older} handle={transcript} />
        )}
        <Announcer view={view} />
        <SessionDock
          key={`dock:${sessionId}`}
          view={view}
          fieldRef={field}
          modelsOpen={modelsOpen}
          onModelsOpen={setModelsOpen}
          stopArmed={stopArmed}
          onSent={() => transcript.current?.toEnd()}
        />
      </MainColumn>
      <PanelColumn look={desk.look}>
        {panel("column")}
      </PanelColumn>
      <EdgeLayer open={panelOpen} onClose={() => setPanelOpen(false)} title="Workspace" edge="right" full>
        {panel("layer")}
      </EdgeLayer>
      {goal.dialog}
    </>
  );
}

function useOthersWaiting(sessionId: string): number {
  const { sessions } = useSessionList();
  return waitingSessions(sessions).filter((session) => session.session_id !== sessionId).length;
}

/** What all turns share; one object as long as nothing in it changes. */
function useTurnContext(view: SessionView, setModelsOpen: (open: boolean) => void): TurnContext {
  const { prompts } = useClient();
  const { look } = useDesk();
  const answers = useStore(prompts.store, (state) => state.answers);
  const [openRows, setOpenRows] = useState<ReadonlySet<string>>(new Set());
  const [editingRun, setEditingRun] = useState<string | null>(null);
  const onToggle = useCallback((key: string) => {
    setOpenRows((rows) => {
      const next = new Set(rows);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);
  const onEndEdit = useCallback(() => setEditingRun(null), []);
  const onChangeModel = useCallback(() => setModelsOpen(true), [setModelsOpen]);
  const actions = useTranscriptActions({ sessionId: view.session.session_id, onEdit: setEditingRun, onChangeModel });
  const busy = activeRun(view) !== null;
  return useMemo(
    () => ({ mode: look.view, actions, answers, openRows, onToggle, editingRun, onEndEdit, busy }),
    [look.view, actions, answers, openRows, onToggle, editingRun, onEndEdit, busy],
  );
}
