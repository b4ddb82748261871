import { useState } from "react";
import { useClient } from "#client/context";
import type { ListFilter } from "#client/session-list-store";
import { useSessionList } from "#client/use-session-list";
import { ConfirmDialog } from "../look/confirm-dialog";
import { TextDialog } from "../look/text-dialog";
import { type ListScope, ProjectMenu } from "../sidebar/project-menu";
import { SessionList } from "../sidebar/session-list";
import type { ProjectChoice } from "../sidebar/session-menu";
import { Sidebar } from "../sidebar/sidebar";
import { useDesk } from "./desk-context";
import { placePath } from "./place";
import { useSessionActions } from "./use-session-actions";
import { useWaitingSessions } from "./use-waiting-sessions";

interface SidebarRoomProps {
  readonly as: "column" | "layer";
  readonly onHide: () => void;
}

const EMPTY: Readonly<Record<ListScope["kind"], string>> = {
  all: "No session yet",
  project: "No session in this project",
  archive: "Nothing is archived",
};

/** The sessions with everything around them, over the client's list. */
export function SidebarRoom({ as, onHide }: SidebarRoomProps) {
  const { list } = useClient();
  const desk = useDesk();
  const { sessions, filter, status, failure, has_more } = useSessionList();
  const { actions, dialogs } = useSessionActions();
  const { place, basePath } = desk;
  const waiting = useWaitingSessions();
  const leave = (action: () => void) => (): void => {
    action();
    if (as === "layer") onHide();
  };
  const open = (sessionId: string): void => leave(() => desk.go({ kind: "session", sessionId, runId: null }))();
  const [oldest] = waiting;
  const scope = scopeOf(filter);
  return (
    <>
      <Sidebar
        as={as}
        onHide={onHide}
        waiting={waiting.length}
        onOpenWaiting={() => oldest !== undefined && open(oldest.session_id)}
        onNew={leave(desk.newSession)}
        onSearch={leave(desk.openPalette)}
        onSettings={leave(() => desk.openSettings("look"))}
        modifier={desk.modifier}
        list={
          <SessionList
            sessions={sessions}
            currentId={place.kind === "session" ? place.sessionId : null}
            hrefOf={(sessionId) => placePath({ kind: "session", sessionId, runId: null }, basePath)}
            onOpen={open}
            actions={actions}
            hasMore={has_more}
            onMore={() => list.loadMore()}
            empty={status === "loading" ? "" : (failure?.message ?? EMPTY[scope.kind])}
          />
        }
        projects={<ProjectsRoom scope={scope} onScope={(next) => list.setFilter(filterOf(next))} />}
      />
      {dialogs}
    </>
  );
}

function scopeOf(filter: ListFilter): ListScope {
  if (filter.archived === true) return { kind: "archive" };
  return filter.project_id === undefined ? { kind: "all" } : { kind: "project", projectId: filter.project_id };
}

function filterOf(scope: ListScope): ListFilter {
  if (scope.kind === "archive") return { archived: true };
  return scope.kind === "project" ? { project_id: scope.projectId } : {};
}

type AskedProject = { readonly kind: "create" } | { readonly kind: "rename" | "remove"; readonly project: ProjectChoice };

function ProjectsRoom({ scope, onScope }: { readonly scope: ListScope; readonly onScope: (scope: ListScope) => void }) {
  const { api } = useClient();
  const { projects, tell } = useDesk();
  const [asked, setAsked] = useState<AskedProject | null>(null);
  const close = (): void => setAsked(null);
  const create = async (name: string): Promise<void> => {
    const answer = await api.setup.createProject({ name, color: squareColor((projects.value ?? []).length) });
    if (answer.ok) onScope({ kind: "project", projectId: answer.value.project.project_id });
    else tell({ text: answer.message });
    projects.reload();
  };
  const rename = async (projectId: string, name: string): Promise<void> => {
    const answer = await api.setup.changeProject(projectId, { name });
    if (!answer.ok) tell({ text: answer.message });
    projects.reload();
  };
  const remove = async (projectId: string): Promise<void> => {
    const answer = await api.setup.removeProject(projectId);
    if (answer.ok) onScope({ kind: "all" });
    else tell({ text: answer.message });
    projects.reload();
  };
  return (
    <>
      <ProjectMenu
        projects={projects.value ?? []}
        scope={scope}
        onScope={onScope}
        onCreate={() => setAsked({ kind: "create" })}
        onRename={(project) => setAsked({ kind: "rename", project })}
        onRemove={(project) => setAsked({ kind: "remove", project })}
      />
      {asked?.kind === "create" ? (
        <TextDialog title="New project" label="Name" initial="" action="Make it" onSubmit={(name) => void create(name)} onClose={close} />
      ) : null}
      {asked?.kind === "rename" ? (
        <TextDialog
          title="Rename the project"
          label="Name"
          initial={asked.project.name}
          action="Rename"
          onSubmit={(name) => void rename(asked.project.project_id, name)}
          onClose={close}
        />
      ) : null}
      <ConfirmDialog
        open={asked?.kind === "remove"}
        title={`Delete the project “${asked?.kind === "remove" ? asked.project.name : ""}”?`}
        description="Its sessions are kept, without a project."
        confirm="Delete"
        onConfirm={() => asked?.kind === "remove" && void remove(asked.project.project_id)}
        onClose={close}
      />
    </>
  );
}

/** The squares oklch(.68 .09 h) with h 40 degrees apart, as the #rrggbb that projects keep. */
const SQUARES = ["#58a3c5", "#c48961", "#6fa87b", "#a18cc8", "#a09c57", "#ca8186", "#4baaa5", "#8894d0"] as const;

function squareColor(index: number): string {
  return SQUARES[index % SQUARES.length] ?? SQUARES[0];
}
