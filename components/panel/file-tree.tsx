import { ChevronRight, Ellipsis, File, Folder, Pencil, Trash2 } from "lucide-react";
import type { FileEntry } from "#client/answers";
import { Icon } from "../look/icon";
import { IconButton } from "../look/icon-button";
import { Menu, MenuItem, MenuTitle } from "../look/menu";
import { Ring } from "../look/ring";

export type FolderState = { readonly kind: "loading" } | { readonly kind: "failed"; readonly message: string } | { readonly kind: "ready"; readonly entries: readonly FileEntry[] };

export interface TreeActions {
  readonly toggle: (path: string) => void;
  readonly open: (path: string) => void;
  readonly rename: (entry: FileEntry) => void;
  readonly remove: (entry: FileEntry) => void;
}

interface FileTreeProps {
  /** Opened folders by path; "" is the workspace itself. A folder that is not here is closed. */
  readonly folders: ReadonlyMap<string, FolderState>;
  readonly path: string;
  readonly depth: number;
  /** Marks at the end of rows: "changed", "new", "2 new". */
  readonly marks: ReadonlyMap<string, string>;
  readonly actions: TreeActions;
}

/** One folder's rows; opened folders hold their own below them. */
export function FileTree({ folders, path, depth, marks, actions }: FileTreeProps) {
  const state = folders.get(path);
  const inset = { paddingLeft: `${0.5 + depth * 1.25}rem` };
  if (state === undefined) return null;
  if (state.kind === "loading") {
    return (
      <p style={inset} className="flex h-7 items-center gap-2.5 text-13 text-faint">
        <Ring /> Opening
      </p>
    );
  }
  if (state.kind === "failed") {
    return (
      <p style={inset} className="py-1 text-13 text-muted">
        {state.message}
      </p>
    );
  }
  const entries = foldersFirst(state.entries);
  if (entries.length === 0) {
    return (
      <p style={inset} className="flex h-7 items-center text-13 text-faint">
        Empty
      </p>
    );
  }
  return (
    <ul>
      {entries.map((entry) => (
        <TreeEntry key={entry.path} entry={entry} folders={folders} depth={depth} marks={marks} actions={actions} />
      ))}
    </ul>
  );
}

/** Git's own folder is no part of the work. */
const UNSHOWN = ".git";

function foldersFirst(entries: readonly FileEntry[]): readonly FileEntry[] {
  return entries
    .filter((entry) => entry.name !== UNSHOWN)
    .toSorted((one, other) => Number(other.type === "dir") - Number(one.type === "dir") || one.name.localeCompare(other.name));
}

type TreeEntryProps = Omit<FileTreeProps, "path"> & { readonly entry: FileEntry };

function TreeEntry({ entry, folders, depth, marks, actions }: TreeEntryProps) {
  const isFolder = entry.type === "dir";
  const open = folders.has(entry.path);
  const mark = marks.get(entry.path);
  return (
    <li>
      <div className="group/entry relative">
        <button
          type="button"
          title={entry.path}
          aria-expanded={isFolder ? open : undefined}
          onClick={() => (isFolder ? actions.toggle(entry.path) : actions.open(entry.path))}
          style={{ paddingLeft: `${0.5 + depth * 1.25}rem` }}
          className="flex h-7 w-full items-center gap-2 rounded-md pr-2 text-left text-13 outline-offset-[-2px] group-hover/entry:bg-fill touch:h-11 touch:pr-11"
        >
          <span className="w-3.5 flex-none text-faint">
            {isFolder ? <Icon of={ChevronRight} size={14} className={`transition-transform duration-[120ms] ${open ? "rotate-90" : ""}`} /> : null}
          </span>
          <Icon of={isFolder ? Folder : File} className="text-faint" />
          <span className="min-w-0 flex-1 truncate">{entry.name}</span>
          {mark === undefined ? null : <span className="flex-none text-12 text-good group-hover/entry:mr-5 touch:mr-0!">{mark}</span>}
        </button>
        <EntryMenu entry={entry} actions={actions} />
      </div>
      {isFolder && open ? <FileTree folders={folders} path={entry.path} depth={depth + 1} marks={marks} actions={actions} /> : null}
    </li>
  );
}

function EntryMenu({ entry, actions }: Pick<TreeEntryProps, "entry" | "actions">) {
  return (
    <Menu
      align="end"
      trigger={
        <IconButton
          size={24}
          iconSize={14}
          label={entry.type === "dir" ? "What to do with this folder" : "What to do with this file"}
          icon={Ellipsis}
          className="absolute top-0.5 right-0.5 opacity-0 group-focus-within/entry:opacity-100 group-hover/entry:opacity-100 data-[state=open]:opacity-100 touch:top-0 touch:right-0 touch:text-faint touch:opacity-100"
        />
      }
    >
      <MenuTitle>{entry.path}</MenuTitle>
      <MenuItem icon={Pencil} onSelect={() => actions.rename(entry)}>
        Rename
      </MenuItem>
      <MenuItem icon={Trash2} tone="bad" onSelect={() => actions.remove(entry)}>
        Delete
      </MenuItem>
    </Menu>
  );
}
