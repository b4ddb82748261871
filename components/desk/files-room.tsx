import { useState } from "react";
import { useClient } from "#client/context";
import type { ChangedFile } from "#fold/session-selectors";
import { FileEditor } from "../panel/file-editor";
import { TreeRoom } from "./tree-room";
import { useFileEditor } from "./use-file-editor";

/** A file of the workspace, and the line that was asked for. */
export interface FilePlace {
  readonly path: string;
  /** From 1; null for none. */
  readonly line: number | null;
}

interface FilesRoomProps {
  readonly sessionId: string;
  readonly files: readonly ChangedFile[];
  /** The file that is open, or null for the tree. */
  readonly place: FilePlace | null;
  readonly onPlace: (place: FilePlace | null) => void;
}

/** The workspace's files: a tree with a search, or one of them. What was searched for is there again on the way back. */
export function FilesRoom({ sessionId, files, place, onPlace }: FilesRoomProps) {
  const [words, setWords] = useState("");
  if (place !== null) return <EditorRoom key={place.path} sessionId={sessionId} place={place} onBack={() => onPlace(null)} />;
  return <TreeRoom sessionId={sessionId} files={files} words={words} onWords={setWords} onOpen={onPlace} />;
}

function EditorRoom({ sessionId, place, onBack }: { readonly sessionId: string; readonly place: FilePlace; readonly onBack: () => void }) {
  const { api } = useClient();
  const { path, line } = place;
  const editing = useFileEditor(sessionId, path);
  return (
    <FileEditor
      path={path}
      line={line}
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
