import { ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { Button } from "../look/button";
import { Icon } from "../look/icon";
import { Ring } from "../look/ring";
import { type DiffFile, parseDiff } from "../output/diff-model";
import { DiffFileView } from "../output/diff-view";
import { LineChanges } from "../transcript/line-changes";
import { countOf } from "../words/count-words";

export type ChangesState =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly message: string }
  /** The folder is no git repository: only what the agent's own tools changed is known, call by call. */
  | { readonly kind: "calls"; readonly diff: string }
  | { readonly kind: "diff"; readonly diff: string; readonly truncated: boolean };

interface ChangesViewProps {
  readonly state: ChangesState;
  readonly onReload: () => void;
}

/** What differs in the workspace from its last commit. */
export function ChangesView({ state, onReload }: ChangesViewProps) {
  const diff = state.kind === "diff" || state.kind === "calls" ? state.diff : "";
  const files = useMemo(() => parseDiff(diff), [diff]);
  if (state.kind === "loading") {
    return (
      <p className="flex items-center gap-2.5 text-14 text-muted">
        <Ring /> Comparing with the last commit
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-2 text-13 text-muted">
        <p className="flex-1">{summaryOf(state, files)}</p>
        <Button kind="bare" onClick={onReload} className="-my-1.5 -mr-3">
          Look again
        </Button>
      </div>
      <ul className="-mx-2">
        {files.map((file, index) => (
          <ChangedFileEntry key={`${file.path ?? ""}:${index}`} file={file} open={files.length === 1} />
        ))}
      </ul>
      {state.kind === "diff" && state.truncated ? <p className="text-13 text-faint">There is more than is shown here.</p> : null}
    </div>
  );
}

function summaryOf(state: ChangesState, files: readonly DiffFile[]): string {
  if (state.kind === "failed") return state.message;
  if (state.kind === "calls") {
    return files.length === 0
      ? "This folder is no git repository, so there is nothing to compare with."
      : `This folder is no git repository. What the agent changed here, in ${countOf(files.length, "step")}:`;
  }
  return files.length === 0 ? "Nothing differs from the last commit." : `${countOf(files.length, "file")} differ${files.length === 1 ? "s" : ""} from the last commit.`;
}

const CHANGE_WORD: Readonly<Record<DiffFile["change"], string>> = { added: "new ", removed: "deleted ", changed: "", renamed: "renamed ", binary: "binary " };

function ChangedFileEntry({ file, open: initiallyOpen }: { readonly file: DiffFile; readonly open: boolean }) {
  const [open, setOpen] = useState(initiallyOpen);
  const name = file.path ?? "A file";
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        title={name}
        onClick={() => setOpen(!open)}
        className="flex min-h-7 w-full items-center gap-2 rounded-md px-2 text-left text-code outline-offset-[-2px] mono hover:bg-fill touch:min-h-11"
      >
        <Icon of={ChevronRight} size={14} className={`text-faint transition-transform duration-[120ms] ${open ? "rotate-90" : ""}`} />
        <span className="min-w-0 flex-1 truncate [direction:rtl]">
          <bdi>{name}</bdi>
        </span>
        <span className="flex-none text-12 text-faint tabular">
          {CHANGE_WORD[file.change]}
          {file.change === "binary" ? null : <LineChanges added={file.added} removed={file.removed} />}
        </span>
      </button>
      {open ? (
        <div role="figure" aria-label={`Changes in ${name}`} tabIndex={0} className="mt-0.5 mb-2 overflow-x-auto rounded-xl bg-sunk py-3 text-code mono thin-scroll">
          <DiffFileView file={file} named={false} />
        </div>
      ) : null}
    </li>
  );
}
