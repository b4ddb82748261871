import { ArrowLeft, Download } from "lucide-react";
import { type KeyboardEvent, useMemo } from "react";
import { createTwoFilesPatch } from "diff";
import { Button } from "../look/button";
import { Icon } from "../look/icon";
import { IconButton } from "../look/icon-button";
import { Ring } from "../look/ring";
import { DiffView } from "../output/diff-view";
import { sizeWords } from "../words/count-words";
import { FileText } from "./file-text";

export type OpenedFile =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly message: string }
  /** Not text, or too long to be edited here. */
  | { readonly kind: "foreign"; readonly size: number; readonly isImage: boolean; readonly reason: string }
  | { readonly kind: "text"; readonly saved: string };

/** What became of the last save. */
export type SaveState =
  | { readonly kind: "idle" }
  | { readonly kind: "saving" }
  | { readonly kind: "failed"; readonly message: string }
  /** The file on disk is not the one that was opened; null until it has been read again. */
  | { readonly kind: "conflict"; readonly onDisk: string | null };

interface FileEditorProps {
  readonly path: string;
  /** The line to begin at, from 1; null or left out for none. */
  readonly line?: number | null;
  readonly file: OpenedFile;
  readonly text: string;
  readonly save: SaveState;
  /** Where the file can be had as it is; null where it cannot. */
  readonly rawUrl: string | null;
  readonly backLabel?: string;
  /** Said below the name: what the text is for, how long it may be. */
  readonly note?: string;
  readonly onText: (text: string) => void;
  readonly onSave: () => void;
  readonly onBack: () => void;
  /** Throws the own text away for what is on disk. */
  readonly onTakeDisk: () => void;
  /** Saves the own text over what is on disk. */
  readonly onKeepOwn: () => void;
}

export function FileEditor(props: FileEditorProps) {
  const { path, file, text, save, rawUrl, backLabel = "Back to the files", note } = props;
  const changed = file.kind === "text" && text !== file.saved;
  const onKey = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== "s" || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    if (changed) props.onSave();
  };
  return (
    <div className="-mx-2.5 flex min-h-full flex-col gap-2">
      <div className="flex items-center gap-1">
        <IconButton label={backLabel} icon={ArrowLeft} onClick={props.onBack} />
        <span className="min-w-0 flex-1 truncate text-left text-code mono [direction:rtl]" title={path}>
          <bdi>{path}</bdi>
        </span>
        {rawUrl === null ? null : (
          <a href={rawUrl} download aria-label={`Download ${path}`} title="Download" className="grid size-8 place-items-center rounded-lg text-muted hover:bg-fill hover:text-ink touch:size-11">
            <Icon of={Download} />
          </a>
        )}
        {file.kind === "text" ? (
          <Button disabled={!changed || save.kind === "saving"} title={changed ? undefined : "Nothing has been changed"} onClick={props.onSave}>
            {save.kind === "saving" ? "Saving" : "Save"}
          </Button>
        ) : null}
      </div>
      {note === undefined ? null : <p className="px-2.5 text-13 text-muted">{note}</p>}
      {save.kind === "failed" ? (
        <p role="alert" className="px-2.5 text-13 text-bad">
          {save.message}
        </p>
      ) : null}
      {save.kind === "conflict" ? <ConflictNotice own={text} onDisk={save.onDisk} onTakeDisk={props.onTakeDisk} onKeepOwn={props.onKeepOwn} /> : null}
      <FileBody path={path} line={props.line ?? null} file={file} text={text} rawUrl={rawUrl} onText={props.onText} onKey={onKey} />
    </div>
  );
}

interface FileBodyProps extends Pick<FileEditorProps, "path" | "file" | "text" | "rawUrl" | "onText"> {
  readonly line: number | null;
  readonly onKey: (event: KeyboardEvent) => void;
}

function FileBody({ path, line, file, text, rawUrl, onText, onKey }: FileBodyProps) {
  if (file.kind === "loading") {
    return (
      <p className="flex items-center gap-2.5 px-2.5 text-14 text-muted">
        <Ring /> Opening {path}
      </p>
    );
  }
  if (file.kind === "failed") return <p className="px-2.5 text-14 text-muted">{file.message}</p>;
  if (file.kind === "foreign") {
    return (
      <div className="px-2.5 text-14 text-muted">
        <p>{`${file.reason} It has ${sizeWords(file.size)}.`}</p>
        {file.isImage && rawUrl !== null ? <img src={rawUrl} alt={path} className="mt-3 max-w-full rounded-lg bg-sunk" /> : null}
      </div>
    );
  }
  return <FileText path={path} text={text} line={line} onText={onText} onKey={onKey} />;
}

interface ConflictNoticeProps extends Pick<FileEditorProps, "onTakeDisk" | "onKeepOwn"> {
  readonly own: string;
  readonly onDisk: string | null;
}

function ConflictNotice({ own, onDisk, onTakeDisk, onKeepOwn }: ConflictNoticeProps) {
  const diff = useMemo(() => (onDisk === null ? "" : createTwoFilesPatch("on disk", "yours", onDisk, own)), [own, onDisk]);
  return (
    <section aria-label="The file changed on disk" data-edge="" className="rounded-xl bg-fill p-3">
      <p role="alert" className="text-14 font-medium">
        The file changed on disk since you opened it. Compare before you save.
      </p>
      {onDisk === null ? null : (
        <div role="figure" aria-label="From what is on disk to your text" tabIndex={0} className="-mx-3 my-2 max-h-60 overflow-auto bg-sunk py-2 text-code mono thin-scroll">
          <DiffView diff={diff} named={false} />
        </div>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={onTakeDisk}>Take what is on disk</Button>
        <Button onClick={onKeepOwn}>Save yours over it</Button>
      </div>
    </section>
  );
}
