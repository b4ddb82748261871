/** One file of the workspace, opened and written back only over the version that was read. */
import { useCallback, useEffect, useState } from "react";
import type { FilesAnswer } from "#client/answers";
import type { ApiResult } from "#client/api-result";
import { useClient } from "#client/context";
import type { OpenedFile, SaveState } from "../panel/file-editor";

interface Editing {
  readonly file: OpenedFile;
  readonly text: string;
  readonly mtime: number;
  readonly save: SaveState;
}

const OPENING: Editing = { file: { kind: "loading" }, text: "", mtime: 0, save: { kind: "idle" } };
const IMAGE = /\.(png|jpe?g|gif|webp|avif|bmp|ico)$/i;

export interface FileEditing extends Editing {
  readonly setText: (text: string) => void;
  readonly write: () => void;
  readonly takeDisk: () => void;
  readonly keepOwn: () => void;
}

export function useFileEditor(sessionId: string, path: string): FileEditing {
  const { api } = useClient();
  const [state, setState] = useState<Editing>(OPENING);
  const read = useCallback(() => api.files.read(sessionId, path), [api, sessionId, path]);
  useEffect(() => {
    let current = true;
    void read().then((answer) => current && setState(editingOf(path, answer)));
    return () => {
      current = false;
    };
  }, [read, path]);

  /** `over`: the version on disk that may be replaced. */
  const writeOver = async (over: number): Promise<void> => {
    setState((before) => ({ ...before, save: { kind: "saving" } }));
    const answer = await api.files.write(sessionId, path, state.text, over);
    if (answer.ok) {
      const { mtime } = answer.value;
      setState((before) => ({ ...before, file: { kind: "text", saved: state.text }, mtime: mtime ?? over, save: { kind: "idle" } }));
    } else if (answer.code === "changed_on_disk") await showConflict();
    else setState((before) => ({ ...before, save: { kind: "failed", message: answer.message } }));
  };
  const showConflict = async (): Promise<void> => {
    setState((before) => ({ ...before, save: { kind: "conflict", onDisk: null } }));
    const answer = await read();
    const onDisk = answer.ok && answer.value.type === "file" ? answer.value.content : null;
    setState((before) => ({ ...before, save: { kind: "conflict", onDisk } }));
  };
  return {
    ...state,
    setText: (text) => setState((before) => ({ ...before, text })),
    write: () => void writeOver(state.mtime),
    takeDisk: () => void read().then((answer) => setState(editingOf(path, answer))),
    keepOwn: () => void read().then((answer) => writeOver(answer.ok && answer.value.type === "file" ? answer.value.mtime : state.mtime)),
  };
}

function editingOf(path: string, answer: ApiResult<FilesAnswer>): Editing {
  if (!answer.ok) return { ...OPENING, file: { kind: "failed", message: answer.message } };
  const { value } = answer;
  if (value.type !== "file") return { ...OPENING, file: { kind: "failed", message: "This is a folder now." } };
  const foreign = foreignReason(value);
  if (foreign !== null) return { ...OPENING, file: { kind: "foreign", size: value.size, isImage: IMAGE.test(path), reason: foreign } };
  const text = value.content ?? "";
  return { file: { kind: "text", saved: text }, text, mtime: value.mtime, save: { kind: "idle" } };
}

function foreignReason(file: Extract<FilesAnswer, { type: "file" }>): string | null {
  if (file.encoding !== "utf8" || file.content === null) return "This is not text.";
  return file.truncated ? "This is too long to be edited here." : null;
}
