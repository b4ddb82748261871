import { ChevronDown, Folder, Pencil, Plus, Trash2 } from "lucide-react";
import { Menu, MenuChoices, MenuItem, MenuRule } from "../look/menu";
import { ProjectSquare } from "./project-square";
import type { ProjectChoice } from "./session-menu";
import { SideButton } from "./side-button";

/** Which sessions the list shows. */
export type ListScope = { readonly kind: "all" } | { readonly kind: "project"; readonly projectId: string } | { readonly kind: "archive" };

interface ProjectMenuProps {
  readonly projects: readonly ProjectChoice[];
  readonly scope: ListScope;
  readonly onScope: (scope: ListScope) => void;
  readonly onCreate: () => void;
  readonly onRename: (project: ProjectChoice) => void;
  readonly onRemove: (project: ProjectChoice) => void;
}

const ALL = "all";
const ARCHIVE = "archive";

export function ProjectMenu({ projects, scope, onScope, onCreate, onRename, onRemove }: ProjectMenuProps) {
  const chosen = scope.kind === "project" ? projects.find((project) => project.project_id === scope.projectId) : undefined;
  const label = scope.kind === "archive" ? "Archive" : (chosen?.name ?? "All projects");
  return (
    <Menu side="top" trigger={<SideButton icon={Folder} label={label} after={ChevronDown} className="min-w-0 flex-1" />}>
      <MenuChoices
        value={scope.kind === "project" ? scope.projectId : scope.kind}
        choices={[
          { value: ALL, label: "All projects" },
          ...projects.map((project) => ({ value: project.project_id, label: project.name, mark: <ProjectSquare color={project.color} /> })),
          { value: ARCHIVE, label: "Archive" },
        ]}
        onChoose={(value) => onScope(value === ALL || value === ARCHIVE ? { kind: value } : { kind: "project", projectId: value })}
      />
      <MenuRule />
      <MenuItem icon={Plus} onSelect={onCreate}>
        New project
      </MenuItem>
      {chosen === undefined ? null : (
        <>
          <MenuItem icon={Pencil} onSelect={() => onRename(chosen)}>
            Rename this project
          </MenuItem>
          <MenuItem icon={Trash2} tone="bad" onSelect={() => onRemove(chosen)}>
            Delete this project
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
