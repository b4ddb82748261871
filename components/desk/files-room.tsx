import { FilePlus2, FolderPlus, RotateCw } from "lucide-react";
import { useMemo, useState } from "react";
import type { FileEntry } from "#client/answers";
import type { ApiResult } from "#client/api-result";
import { useClient } from "#client/context";
import type { ChangedFile } from "#fold/session-selectors";
import { ConfirmDialog } from "../look/confirm-dialog";
import { IconButton } from "../look/icon-button";
import { TextDialog } from "../look/text-dialog";
import { FileEditor } from "../panel/file-editor";
import { fileMarks } from "../panel/file-marks";
import { FileTree } from "../panel/file-tree";
import { useDesk } from "./desk-context";
import { useFileEditor } from "./use-file-editor";
import { useFolders } from "./use-folders";

interface FilesRoomProps {
  readonly sessionId: string;
  readonly files: readonly ChangedFile[];
  /** The file that is open, or null for the tree. */
  readonly path: string | null;
  readonly onPath: (path: string | null) => void;
}

/** The workspace's files: a tree, or one of them. */
export function FilesRoom({ sessionId, files, path, onPath }: FilesRoomProps) {
  if (path !== null) return <EditorRoom key={path} sessionId={sessionId} path={path} onBack={() => onPath(null)} />;
  return <TreeRoom sessionId={sessionId} files={files} onOpen={onPath} />;
}

type Asked = { readonly kind: "file" | "folder" } | { readonly kind: "rename" | "remove"; readonly entry: FileEntry };

function TreeRoom({ sessionId, files, onOpen }: { readonly sessionId: string; readonly files: readonly ChangedFile[]; readonly onOpen: (path: string) => void }) {
  const { api } = useClient();
  const { tell } = useDesk();
  const folders = useFolders(sessionId);
  const marks = useMemo(() => fileMarks(files), [files]);
  const [asked, setAsked] = useState<Asked | null>(null);
  const settle = async (request: Promise<ApiResult<unknown>>): Promise<void> => {
    const answer = await request;
    if (!answer.ok) tell({ text: answer.message });
    folders.reload();
  };
  const submit = (kind: Asked, name: string): void => {
    if (kind.kind === "file") void settle(api.files.write(sessionId, name, "", null));
    else if (kind.kind === "folder") void settle(api.files.makeFolder(sessionId, name));
    else if (kind.kind === "rename") void settle(api.files.rename(sessionId, kind.entry.path, name));
  };
  const actions = {
    toggle: folders.toggle,
    open: onOpen,
    rename: (entry: FileEntry) => setAsked({ kind: "rename", entry }),
    remove: (entry: FileEntry) => setAsked({ kind: "remove", entry }),
  };
  return (
    <>
      <div className="-mx-2.5 -mt-1 mb-1 flex justify-end">
        <IconButton size={28} label="New file" icon={FilePlus2} onClick={() => setAsked({ kind: "file" })} />
        <IconButton size={28} label="New folder" icon={FolderPlus} onClick={() => setAsked({ kind: "folder" })} />
        <IconButton size={28} label="Look again" icon={RotateCw} onClick={folders.reload} />
      </div>
      <div className="-mx-2.5">
        <FileTree folders={folders.opened} path="" depth={0} marks={marks} actions={actions} />
      </div>
      {asked === null || asked.kind === "remove" ? null : (
        <TextDialog
          title={ASK[asked.kind].title}
          label="Path in the workspace"
          initial={asked.kind === "rename" ? asked.entry.path : ""}
          action={ASK[asked.kind].action}
          onSubmit={(name) => submit(asked, name)}
          onClose={() => setAsked(null)}
        />
      )}
      <ConfirmDialog
        open={asked?.kind === "remove"}
        title={`Delete ${asked?.kind === "remove" ? asked.entry.path : ""}?`}
        description="It is gone from the disk, a folder with everything in it."
        confirm="Delete"
        onConfirm={() => asked?.kind === "remove" && void settle(api.files.remove(sessionId, asked.entry.path, asked.entry.type === "dir"))}
        onClose={() => setAsked(null)}
      />
    </>
  );
}

const ASK: Readonly<Record<"file" | "folder" | "rename", { readonly title: string; readonly action: string }>> = {
  file: { title: "New file", action: "Make it" },
  folder: { title: "New folder", action: "Make it" },
  rename: { title: "Rename or move", action: "Move" },
};

function EditorRoom({ sessionId, path, onBack }: { readonly sessionId: string; readonly path: string; readonly onBack: () => void }) {
  const { api } = useClient();
  const editing = useFileEditor(sessionId, path);
  return (
    <FileEditor
      path={path}
      file={editing.file}
      text={editing.text}
      save={editing.save}
      rawUrl={api.files.rawUrl(sessionId, path)}
      onText={editing.setText}
      onSave={editing.write}
      onBack={onBack}
      onTakeDisk={editing.takeDisk}
      onKeepOwn={editing.keepOwn}
    />
  );
}
