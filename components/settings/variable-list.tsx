import { type FormEvent, useState } from "react";
import type { KeyEntry } from "#protocol/profile-shapes";
import { Button } from "../look/button";
import { TextField } from "../look/text-field";
import { type KeyChanges, KeyLine } from "./provider-row";

interface VariableListProps {
  readonly entries: readonly KeyEntry[];
  readonly changes: KeyChanges;
}

/** What else the profile's file has: tools and MCP servers take their keys from there. */
export function VariableList({ entries, changes }: VariableListProps) {
  const [adding, setAdding] = useState(false);
  return (
    <section className="pt-5">
      <h3 className="text-12 font-medium text-faint">Other variables of this profile</h3>
      <p className="pt-1 pb-1 text-13 text-muted">For tools and MCP servers, which name them as {"${NAME}"}.</p>
      {entries.map((entry) => (
        <KeyLine key={entry.name} entry={entry} onRemove={() => changes.remove(entry)} />
      ))}
      {adding ? (
        <VariableForm onSave={changes.change} onClose={() => setAdding(false)} />
      ) : (
        <Button onClick={() => setAdding(true)} className="mt-2">
          Add a variable
        </Button>
      )}
    </section>
  );
}

function VariableForm({ onSave, onClose }: { readonly onSave: KeyChanges["change"]; readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const failure = await onSave({ [name.trim()]: value.trim() });
    if (failure === null) onClose();
    else setProblem(failure);
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex max-w-md flex-col gap-3 pt-3">
      <TextField label="Name" value={name} onChange={setName} required autoFocus autoComplete="off" autoCapitalize="off" spellCheck={false} pattern="[A-Za-z_][A-Za-z0-9_]*" placeholder="GITHUB_TOKEN" />
      <TextField label="Value" type="password" value={value} onChange={setValue} required autoComplete="off" spellCheck={false} />
      <p role="alert" className="text-13 text-bad empty:hidden">
        {problem}
      </p>
      <div className="flex gap-2">
        <Button kind="solid" type="submit">
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}
