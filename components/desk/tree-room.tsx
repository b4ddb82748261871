import { FilePlus2, FolderPlus, RotateCw } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import type { FileEntry } from "#client/answers";
import type { ApiResult } from "#client/api-result";
import { useClient } from "#client/context";
import type { ChangedFile } from "#fold/session-selectors";
import { IconButton } from "../look/icon-button";
import { fileMarks } from "../panel/file-marks";
import { FoundList, SearchField } from "../panel/file-search";
import { FileTree } from "../panel/file-tree";
import type { FoundFile } from "../panel/found-files";
import { useDesk } from "./desk-context";
import { type AskedFile, FileDialogs } from "./file-dialogs";
import type { FilePlace } from "./files-room";
import { useFileSearch } from "./use-file-search";
import { useFolders } from "./use-folders";

interface TreeRoomProps {
  readonly sessionId: string;
  readonly files: readonly ChangedFile[];
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly onOpen: (place: FilePlace) => void;
}

/** The tree of the workspace, or what a search found in it. */
export function TreeRoom({ sessionId, files, words, onWords, onOpen }: TreeRoomProps) {
  const { api } = useClient();
  const { tell } = useDesk();
  const folders = useFolders(sessionId);
  const found = useFileSearch(sessionId, words);
  const marks = useMemo(() => fileMarks(files), [files]);
  const [asked, setAsked] = useState<AskedFile | null>(null);
  const room = useRef<HTMLDivElement>(null);
  const settle = async (request: Promise<ApiResult<unknown>>): Promise<void> => {
    const answer = await request;
    if (!answer.ok) tell({ text: answer.message });
    folders.reload();
  };
  const submit = (kind: AskedFile, name: string): void => {
    if (kind.kind === "file") void settle(api.files.write(sessionId, name, "", null));
    else if (kind.kind === "folder") void settle(api.files.makeFolder(sessionId, name));
    else if (kind.kind === "rename") void settle(api.files.rename(sessionId, kind.entry.path, name));
    else if (kind.kind === "remove") void settle(api.files.remove(sessionId, kind.entry.path, kind.entry.type === "dir"));
  };
  const openFound = (file: FoundFile, line: number | null): void => {
    if (!file.isFolder) return onOpen({ path: file.path, line });
    folders.reveal(file.path);
    onWords("");
  };
  const focusIn = (selector: string): void => room.current?.querySelector<HTMLElement>(selector)?.focus();
  const actions = {
    toggle: folders.toggle,
    open: (path: string) => onOpen({ path, line: null }),
    rename: (entry: FileEntry) => setAsked({ kind: "rename", entry }),
    remove: (entry: FileEntry) => setAsked({ kind: "remove", entry }),
  };
  return (
    <div ref={room} className="-mx-2.5 -mt-1">
      <div role="search" className="mb-1 flex items-center gap-0.5">
        <SearchField
          words={words}
          onWords={onWords}
          onDown={() => focusIn("[data-hit]")}
          onEnter={() => {
            const [first] = found.kind === "found" ? found.files : [];
            if (first !== undefined) openFound(first, first.lines[0]?.line ?? null);
          }}
        />
        <IconButton size={28} label="New file" icon={FilePlus2} onClick={() => setAsked({ kind: "file" })} />
        <IconButton size={28} label="New folder" icon={FolderPlus} onClick={() => setAsked({ kind: "folder" })} />
        <IconButton size={28} label="Look again" icon={RotateCw} onClick={folders.reload} />
      </div>
      {found.kind === "idle" ? (
        <FileTree folders={folders.opened} path="" depth={0} marks={marks} actions={actions} />
      ) : (
        <FoundList state={found} words={words} onOpen={openFound} onLeave={() => focusIn("input")} />
      )}
      <FileDialogs asked={asked} onSubmit={submit} onClose={() => setAsked(null)} />
    </div>
  );
}
