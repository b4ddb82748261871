import { type FormEvent, useState } from "react";
import type { Profile } from "#client/answers";
import { Button } from "../look/button";
import { ConfirmDialog } from "../look/confirm-dialog";
import { TextDialog } from "../look/text-dialog";
import { TextField } from "../look/text-field";

interface ProfilesPageProps {
  readonly profiles: readonly Profile[];
  /** Why the last wish did not work, or null. */
  readonly problem: string | null;
  readonly onOpen: (name: string) => void;
  readonly onCreate: (name: string) => void;
  readonly onRename: (name: string, newName: string) => void;
  readonly onRemove: (name: string) => void;
}

const FIXED = "default";

/** Profiles: each has its own home with configuration, keys, memory and skills. */
export function ProfilesPage({ profiles, problem, onOpen, onCreate, onRename, onRemove }: ProfilesPageProps) {
  const [renaming, setRenaming] = useState<string | null>(null);
  const [removing, setRemoving] = useState<string | null>(null);
  return (
    <>
      <ul>
        {profiles.map((profile) => (
          <li key={profile.name} className="flex flex-wrap items-center justify-end gap-x-1 gap-y-1 border-b border-hair py-2 last:border-0">
            <div className="min-w-0 flex-1 basis-56">
              <p className="text-14 font-medium">{profile.name}</p>
              <p className="truncate text-code text-muted mono" title={profile.home}>
                {profile.home}
              </p>
            </div>
            <Button aria-label={`Open ${profile.name}`} onClick={() => onOpen(profile.name)}>
              Open
            </Button>
            {profile.name === FIXED ? null : (
              <>
                <Button kind="bare" aria-label={`Rename ${profile.name}`} onClick={() => setRenaming(profile.name)}>
                  Rename
                </Button>
                <Button kind="bare" aria-label={`Delete ${profile.name}`} onClick={() => setRemoving(profile.name)}>
                  Delete
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
      <NewProfile onCreate={onCreate} />
      <p role="alert" className="mt-2 text-13 text-bad">
        {problem}
      </p>
      {renaming === null ? null : (
        <TextDialog
          title="Rename the profile"
          label="Name"
          initial={renaming}
          action="Rename"
          onSubmit={(newName) => onRename(renaming, newName)}
          onClose={() => setRenaming(null)}
        />
      )}
      <ConfirmDialog
        open={removing !== null}
        title={`Delete the profile “${removing ?? ""}”?`}
        description="Its home is deleted with it: configuration, keys, memory and skills."
        confirm="Delete"
        onConfirm={() => removing !== null && onRemove(removing)}
        onClose={() => setRemoving(null)}
      />
    </>
  );
}

function NewProfile({ onCreate }: Pick<ProfilesPageProps, "onCreate">) {
  const [name, setName] = useState("");
  const create = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === "") return;
    onCreate(name.trim());
    setName("");
  };
  return (
    <form onSubmit={create} className="mt-4 flex items-end gap-2">
      <TextField label="New profile: small letters, digits, dashes" value={name} onChange={setName} pattern="[a-z0-9_\-]{1,64}" className="flex-1" />
      <Button type="submit" className="h-10">
        Make it
      </Button>
    </form>
  );
}
