import type { FileEntry } from "#client/answers";
import { ConfirmDialog } from "../look/confirm-dialog";
import { TextDialog } from "../look/text-dialog";

export type AskedFile = { readonly kind: "file" | "folder" } | { readonly kind: "rename" | "remove"; readonly entry: FileEntry };

interface FileDialogsProps {
  readonly asked: AskedFile | null;
  /** `name`: the path that was given; empty for a deletion. */
  readonly onSubmit: (asked: AskedFile, name: string) => void;
  readonly onClose: () => void;
}

const ASK: Readonly<Record<"file" | "folder" | "rename", { readonly title: string; readonly action: string }>> = {
  file: { title: "New file", action: "Make it" },
  folder: { title: "New folder", action: "Make it" },
  rename: { title: "Rename or move", action: "Move" },
};

/** What is asked before a file is made, moved or deleted. */
export function FileDialogs({ asked, onSubmit, onClose }: FileDialogsProps) {
  return (
    <>
      {asked === null || asked.kind === "remove" ? null : (
        <TextDialog
          title={ASK[asked.kind].title}
          label="Path in the workspace"
          initial={asked.kind === "rename" ? asked.entry.path : ""}
          action={ASK[asked.kind].action}
          onSubmit={(name) => onSubmit(asked, name)}
          onClose={onClose}
        />
      )}
      <ConfirmDialog
        open={asked?.kind === "remove"}
        title={`Delete ${asked?.kind === "remove" ? asked.entry.path : ""}?`}
        description="It is gone from the disk, a folder with everything in it."
        confirm="Delete"
        onConfirm={() => asked !== null && onSubmit(asked, "")}
        onClose={onClose}
      />
    </>
  );
}
