/** One text on disk, opened and written back only over the version that was read. */
import { useEffect, useState } from "react";
import type { ApiResult } from "#client/api-result";
import type { OpenedFile, SaveState } from "../panel/file-editor";

/** `mtime` null: there is no such file yet, and saving makes it. */
export type FoundText = { readonly kind: "text"; readonly text: string; readonly mtime: number | null } | Exclude<OpenedFile, { kind: "loading" | "text" }>;

/** The same object while it is the same text: a new one is opened anew. */
export interface TextSource {
  readonly read: () => Promise<FoundText>;
  /** `over`: the version on disk that may be replaced. */
  readonly write: (text: string, over: number | null) => Promise<ApiResult<{ readonly mtime: number | null }>>;
}

interface Editing {
  readonly file: OpenedFile;
  readonly text: string;
  readonly mtime: number | null;
  readonly save: SaveState;
}

const OPENING: Editing = { file: { kind: "loading" }, text: "", mtime: null, save: { kind: "idle" } };

export interface TextEditing extends Editing {
  readonly setText: (text: string) => void;
  readonly write: () => void;
  readonly takeDisk: () => void;
  readonly keepOwn: () => void;
}

/** `initial`: what a text that is not there yet begins with. */
export function useTextEditor(source: TextSource, initial = ""): TextEditing {
  const [state, setState] = useState<Editing>(OPENING);
  useEffect(() => {
    let current = true;
    void source.read().then((found) => current && setState(begun(editingOf(found), initial)));
    return () => {
      current = false;
    };
  }, [source, initial]);

  const writeOver = async (over: number | null): Promise<void> => {
    setState((before) => ({ ...before, save: { kind: "saving" } }));
    const answer = await source.write(state.text, over);
    if (answer.ok) {
      const { mtime } = answer.value;
      setState((before) => ({ ...before, file: { kind: "text", saved: state.text }, mtime: mtime ?? over, save: { kind: "idle" } }));
    } else if (answer.code === "changed_on_disk") await showConflict();
    else setState((before) => ({ ...before, save: { kind: "failed", message: answer.message } }));
  };
  const showConflict = async (): Promise<void> => {
    setState((before) => ({ ...before, save: { kind: "conflict", onDisk: null } }));
    const found = await source.read();
    setState((before) => ({ ...before, save: { kind: "conflict", onDisk: found.kind === "text" ? found.text : null } }));
  };
  return {
    ...state,
    setText: (text) => setState((before) => ({ ...before, text })),
    write: () => void writeOver(state.mtime),
    takeDisk: () => void source.read().then((found) => setState(editingOf(found))),
    keepOwn: () => void source.read().then((found) => writeOver(found.kind === "text" ? found.mtime : state.mtime)),
  };
}

function begun(editing: Editing, initial: string): Editing {
  return editing.file.kind === "text" && editing.mtime === null ? { ...editing, text: initial } : editing;
}

function editingOf(found: FoundText): Editing {
  if (found.kind !== "text") return { ...OPENING, file: found };
  return { file: { kind: "text", saved: found.text }, text: found.text, mtime: found.mtime, save: { kind: "idle" } };
}
