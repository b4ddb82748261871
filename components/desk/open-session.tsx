import { useCallback, useRef, useState } from "react";
import { activeRun, newestRun } from "#fold/session-selectors";
import type { SessionView } from "#fold/session-view";
import { EdgeLayer } from "../look/sheet";
import type { PanelTab } from "../panel/panel";
import { type OlderTurns, Transcript, type TranscriptHandle } from "../transcript/transcript";
import { useTurns } from "../transcript/use-turns";
import { Announcer } from "./announcer";
import { ChildRun } from "./child-run";
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
import { useTurnContext } from "./use-turn-context";
import { useWaitingSessions } from "./use-waiting-sessions";

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
  const othersWaiting = useWaitingSessions().filter((session) => session.session_id !== sessionId).length;
  const goal = useGoal(view);
  const openModels = useCallback(() => setModelsOpen(true), []);
  const context = useTurnContext(view, { onChangeModel: openModels, renderChild });
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
        {finding ? <FindBar sessionId={sessionId} turns={turns} transcript={transcript} older={older} loading={loading} onClose={() => setFinding(false)} /> : null}
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

function renderChild(sessionId: string, show: "rows" | "prompts") {
  return <ChildRun sessionId={sessionId} show={show} />;
}

