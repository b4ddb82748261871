import { type FormEvent, useState } from "react";
import type { KeyEntry } from "#protocol/profile-shapes";
import { Button } from "../look/button";
import { TextField } from "../look/text-field";
import { changesOf, fieldLabel, fieldPlaceholder, startOf } from "./key-words";

interface KeyFormProps {
  readonly entries: readonly KeyEntry[];
  /** Why it could not be saved, or null. */
  readonly onSave: (changes: Readonly<Record<string, string | null>>) => Promise<string | null>;
  readonly onClose: () => void;
}

/** What a provider is set up by. A key that is there is never in its field. */
export function KeyForm({ entries, onSave, onClose }: KeyFormProps) {
  const editable = entries.filter((entry) => entry.editable);
  const [fields, setFields] = useState<Readonly<Record<string, string>>>(() => Object.fromEntries(editable.map((entry) => [entry.name, startOf(entry) ?? ""])));
  const [state, setState] = useState<{ readonly saving: boolean; readonly problem: string | null }>({ saving: false, problem: null });
  const changes = changesOf(editable, fields);
  const isEmpty = Object.keys(changes).length === 0;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isEmpty) return onClose();
    setState({ saving: true, problem: null });
    const problem = await onSave(changes);
    if (problem === null) onClose();
    else setState({ saving: false, problem });
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex max-w-md flex-col gap-3 pt-3 pb-1">
      {editable.map((entry, index) => (
        <TextField
          key={entry.name}
          label={fieldLabel(entry, editable.length === 1)}
          type={entry.kind === "key" ? "password" : "text"}
          name={entry.name}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          autoFocus={index === 0}
          placeholder={fieldPlaceholder(entry)}
          value={fields[entry.name] ?? ""}
          onChange={(value) => setFields({ ...fields, [entry.name]: value })}
        />
      ))}
      <p role="alert" className="text-13 text-bad empty:hidden">
        {state.problem}
      </p>
      <div className="flex gap-2">
        <Button kind="solid" type="submit" disabled={state.saving}>
          {state.saving ? "Saving" : "Save"}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}
