import { useClient } from "#client/context";
import type { SessionView } from "#fold/session-view";
import { useDesk } from "./desk-context";
import { SessionHeader } from "./session-header";
import { SessionMore } from "./session-more";
import type { SessionGoal } from "./use-goal";
import { useSessionActions } from "./use-session-actions";

interface OpenSessionHeaderProps {
  readonly view: SessionView;
  readonly goal: SessionGoal;
  readonly empty: boolean;
  readonly onFind: () => void;
  readonly onPanel: () => void;
  readonly waiting: number;
}

export function OpenSessionHeader({ view, goal, empty, onFind, onPanel, waiting }: OpenSessionHeaderProps) {
  const { api } = useClient();
  const desk = useDesk();
  const { actions, dialogs } = useSessionActions();
  const { session } = view;
  const project = (desk.projects.value ?? []).find((entry) => entry.project_id === session.project_id) ?? null;
  const setYolo = async (enabled: boolean): Promise<void> => {
    const answer = await api.chat.setYolo(session.session_id, enabled);
    desk.tell({ text: answer.ok ? (enabled ? "Risky commands run unasked in this session." : "Risky commands ask first again.") : answer.message });
  };
  return (
    <>
      <SessionHeader
        title={session.title}
        project={project}
        view={desk.look.view}
        onView={(next) => desk.changeLook({ view: next })}
        onFind={empty ? null : onFind}
        onSessions={desk.openSidebar}
        sideHidden={!desk.look.side}
        panelHidden={!desk.look.panel}
        onPanel={onPanel}
        waiting={waiting}
        more={
          <SessionMore
            session={session}
            actions={actions}
            view={desk.look.view}
            onView={(next) => desk.changeLook({ view: next })}
            onFind={onFind}
            onYolo={(enabled) => void setYolo(enabled)}
            onGoal={view.goal === null ? goal.set : null}
            exportUrl={(format) => api.sessions.exportUrl(session.session_id, format)}
          />
        }
      />
      {dialogs}
    </>
  );
}
