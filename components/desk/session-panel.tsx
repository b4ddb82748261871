import { useCallback, useMemo, useState } from "react";
import { z } from "zod";
import { useClient } from "#client/context";
import { activeRun, changedFiles, contextMeter, currentTodo, promptsOf } from "#fold/session-selectors";
import type { SessionView } from "#fold/session-view";
import { Activity } from "../panel/activity";
import { type ChangesState, ChangesView } from "../panel/changes-view";
import { diffOf } from "../output/tool-data";
import { Panel, type PanelTab } from "../panel/panel";
import { type FilePlace, FilesRoom } from "./files-room";
import { useDesk } from "./desk-context";
import { meterInUse, modelInUse } from "./model-choices";
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
  const [place, setPlace] = useState<FilePlace | null>(null);
  const { models } = useDesk();
  const { runs } = view;
  const sessionId = view.session.session_id;
  const files = useMemo(() => changedFiles({ runs }), [runs]);
  const processes = useProcesses(view);
  const openFile = (file: string): void => {
    setPlace({ path: file, line: null });
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
            meter={meterInUse(contextMeter(view), modelInUse(view.session, models.value), models.value)}
          />
        ),
        files: <FilesRoom sessionId={sessionId} files={files} place={place} onPlace={setPlace} />,
        changes: <ChangesRoom view={view} />,
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

/** Compared anew whenever a run has ended. */
function ChangesRoom({ view }: { readonly view: SessionView }) {
  const { api } = useClient();
  const sessionId = view.session.session_id;
  const load = useCallback(() => api.files.diff(sessionId), [api, sessionId]);
  const settled = activeRun(view) === null ? view.cursor : null;
  const remote = useRemote(`${sessionId}:${settled ?? ""}`, load);
  return <ChangesView state={changesState(remote, view)} onReload={remote.reload} />;
}

/** The diffs of all calls that changed files, in their order. */
function diffOfCalls(view: SessionView): string {
  const parts = view.runs.flatMap((run) => (run.rewound ? [] : run.parts));
  return parts.map((part) => (part.type === "tool" && part.status === "ok" ? (diffOf(part.data) ?? "") : "")).join("");
}

function changesState(remote: Remote<unknown>, view: SessionView): ChangesState {
  if (remote.failure !== null) return { kind: "failed", message: remote.failure.message };
  if (remote.value === null) return { kind: "loading" };
  const parsed = diffSchema.safeParse(remote.value);
  if (!parsed.success) return { kind: "failed", message: "The comparison could not be read." };
  return parsed.data.kind === "none" ? { kind: "calls", diff: diffOfCalls(view) } : { kind: "diff", diff: parsed.data.diff, truncated: parsed.data.truncated };
}
