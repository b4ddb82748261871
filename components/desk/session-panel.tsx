import { useCallback, useMemo, useState } from "react";
import { z } from "zod";
import { useClient } from "#client/context";
import { activeRun, changedFiles, contextMeter, currentTodo, promptsOf } from "#fold/session-selectors";
import type { SessionView } from "#fold/session-view";
import { Activity } from "../panel/activity";
import { type ChangesState, ChangesView } from "../panel/changes-view";
import { Panel, type PanelTab } from "../panel/panel";
import { FilesRoom } from "./files-room";
import type { Remote } from "./use-remote";
import { useRemote } from "./use-remote";
import type { SessionGoal } from "./use-goal";
import { useProcesses } from "./use-processes";

interface SessionPanelProps {
  readonly view: SessionView;
  readonly goal: SessionGoal;
  readonly as: "column" | "layer";
  readonly tab: PanelTab;
  readonly onTab: (tab: PanelTab) => void;
  readonly onHide: () => void;
}

/** The panel of an open session. */
export function SessionPanel({ view, goal, as, tab, onTab, onHide }: SessionPanelProps) {
  const [path, setPath] = useState<string | null>(null);
  const { runs } = view;
  const sessionId = view.session.session_id;
  const files = useMemo(() => changedFiles({ runs }), [runs]);
  const processes = useProcesses(view);
  const openFile = (file: string): void => {
    setPath(file);
    onTab("files");
  };
  return (
    <Panel
      tab={tab}
      onTab={onTab}
      as={as}
      onHide={onHide}
      contents={{
        activity: (
          <Activity
            goal={view.goal}
            goalActions={goal.actions}
            onSetGoal={goal.set}
            plan={planOf(view)}
            files={files}
            onOpenFile={openFile}
            processes={processes.list}
            onStopProcess={processes.stop}
            meter={contextMeter(view)}
          />
        ),
        files: <FilesRoom sessionId={sessionId} files={files} path={path} onPath={setPath} />,
        changes: <ChangesRoom sessionId={sessionId} touched={files} settled={activeRun(view) === null ? view.cursor : null} />,
      }}
    />
  );
}

function planOf(view: SessionView) {
  const todo = currentTodo(view);
  if (todo === null) return null;
  const [prompt] = promptsOf(view);
  const waitsFor = !todo.active || prompt === undefined ? null : prompt.type === "approval" ? ("approval" as const) : ("answer" as const);
  return { items: todo.items, waitsFor };
}

const diffSchema = z.looseObject({ kind: z.string(), diff: z.string(), truncated: z.boolean() });

interface ChangesRoomProps {
  readonly sessionId: string;
  readonly touched: ReturnType<typeof changedFiles>;
  /** Changes when a run has ended, so that the comparison is made again. */
  readonly settled: string | null;
}

function ChangesRoom({ sessionId, touched, settled }: ChangesRoomProps) {
  const { api } = useClient();
  const load = useCallback(() => api.files.diff(sessionId), [api, sessionId]);
  const remote = useRemote(`${sessionId}:${settled ?? ""}`, load);
  return <ChangesView state={changesState(remote)} touched={touched} onReload={remote.reload} />;
}

function changesState(remote: Remote<unknown>): ChangesState {
  if (remote.failure !== null) return { kind: "failed", message: remote.failure.message };
  if (remote.value === null) return { kind: "loading" };
  const parsed = diffSchema.safeParse(remote.value);
  if (!parsed.success) return { kind: "failed", message: "The comparison could not be read." };
  return parsed.data.kind === "none" ? { kind: "none" } : { kind: "diff", diff: parsed.data.diff, truncated: parsed.data.truncated };
}
