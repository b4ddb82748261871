/** The opened folders of a session's workspace: read when they are opened, read again when asked. */
import { useCallback, useEffect, useState } from "react";
import { useClient } from "#client/context";
import type { FolderState } from "../panel/file-tree";

export interface Folders {
  readonly opened: ReadonlyMap<string, FolderState>;
  readonly toggle: (path: string) => void;
  /** Opens a folder with all that it lies in. */
  readonly reveal: (path: string) => void;
  /** Reads all opened folders again; what is shown stays meanwhile. */
  readonly reload: () => void;
}

const ROOT = "";

export function useFolders(sessionId: string): Folders {
  const { api } = useClient();
  const [opened, setOpened] = useState<ReadonlyMap<string, FolderState>>(new Map([[ROOT, { kind: "loading" }]]));
  const keep = useCallback((path: string, answer: FilesResult): void => {
    setOpened((folders) => (folders.has(path) ? new Map(folders).set(path, stateOf(answer)) : folders));
  }, []);
  useEffect(() => {
    void api.files.read(sessionId, ROOT).then((answer) => keep(ROOT, answer));
  }, [api, sessionId, keep]);
  const read = (path: string): void => void api.files.read(sessionId, path).then((answer) => keep(path, answer));
  const toggle = (path: string): void => {
    const next = new Map(opened);
    if (next.delete(path)) setOpened(next);
    else {
      setOpened(next.set(path, { kind: "loading" }));
      read(path);
    }
  };
  const reveal = (path: string): void => {
    const next = new Map(opened);
    const names = path.split("/");
    for (const folder of names.map((_, index) => names.slice(0, index + 1).join("/"))) {
      if (next.has(folder)) continue;
      next.set(folder, { kind: "loading" });
      read(folder);
    }
    setOpened(next);
  };
  const reload = (): void => {
    for (const path of opened.keys()) read(path);
  };
  return { opened, toggle, reveal, reload };
}

type FilesResult = Awaited<ReturnType<ReturnType<typeof useClient>["api"]["files"]["read"]>>;

function stateOf(answer: FilesResult): FolderState {
  if (!answer.ok) return { kind: "failed", message: answer.message };
  if (answer.value.type !== "dir") return { kind: "failed", message: "This is not a folder any more." };
  return { kind: "ready", entries: answer.value.entries };
}
