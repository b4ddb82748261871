import { Archive, ArchiveRestore, Ellipsis, FolderInput, Pencil, Pin, PinOff, Trash2 } from "lucide-react";
import type { SessionSummary } from "#protocol/session-shapes";
import { IconButton } from "../look/icon-button";
import { Menu, MenuChoices, MenuItem, MenuRule, MenuTitle, SubMenu } from "../look/menu";
import { ProjectSquare } from "./project-square";

export interface ProjectChoice {
  readonly project_id: string;
  readonly name: string;
  readonly color: string | null;
}
type MenuSession = Pick<SessionSummary, "session_id" | "title" | "pinned" | "archived" | "project_id">;

export interface SessionMenuActions {
  readonly projects: readonly ProjectChoice[];
  readonly rename: (session: MenuSession) => void;
  readonly pin: (sessionId: string, pinned: boolean) => void;
  readonly archive: (sessionId: string, archived: boolean) => void;
  readonly move: (sessionId: string, projectId: string | null) => void;
  readonly remove: (session: MenuSession) => void;
}

interface SessionMenuProps {
  readonly session: MenuSession;
  readonly actions: SessionMenuActions;
  /** Id of the element that names the session. */
  readonly describedBy: string;
  readonly className?: string;
}

/** What can be done with a session, from its row. */
export function SessionMenu({ session, actions, describedBy, className = "" }: SessionMenuProps) {
  return (
    <Menu align="end" trigger={<IconButton size={24} iconSize={14} icon={Ellipsis} label="What to do with this session" aria-describedby={describedBy} className={className} />}>
      <MenuTitle>{session.title}</MenuTitle>
      <SessionMenuItems session={session} actions={actions} />
    </Menu>
  );
}

const NO_PROJECT = "none";

export function SessionMenuItems({ session, actions }: Pick<SessionMenuProps, "session" | "actions">) {
  const { session_id, pinned, archived } = session;
  return (
    <>
      <MenuItem icon={Pencil} onSelect={() => actions.rename(session)}>
        Rename
      </MenuItem>
      <MenuItem icon={pinned ? PinOff : Pin} onSelect={() => actions.pin(session_id, !pinned)}>
        {pinned ? "Unpin" : "Pin"}
      </MenuItem>
      {actions.projects.length === 0 ? null : (
        <SubMenu icon={FolderInput} label="Move to a project">
          <MenuChoices
            value={session.project_id ?? NO_PROJECT}
            choices={[
              { value: NO_PROJECT, label: "No project" },
              ...actions.projects.map((project) => ({ value: project.project_id, label: project.name, mark: <ProjectSquare color={project.color} /> })),
            ]}
            onChoose={(value) => actions.move(session_id, value === NO_PROJECT ? null : value)}
          />
        </SubMenu>
      )}
      <MenuItem icon={archived ? ArchiveRestore : Archive} onSelect={() => actions.archive(session_id, !archived)}>
        {archived ? "Take out of the archive" : "Archive"}
      </MenuItem>
      <MenuRule />
      <MenuItem icon={Trash2} tone="bad" onSelect={() => actions.remove(session)}>
        Delete
      </MenuItem>
    </>
  );
}
