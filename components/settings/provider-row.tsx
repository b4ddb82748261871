import { Check, Minus } from "lucide-react";
import { useState } from "react";
import type { ModelList } from "#client/answers";
import type { KeyEntry } from "#protocol/profile-shapes";
import { Button } from "../look/button";
import { Icon } from "../look/icon";
import { countOf } from "../words/count-words";
import { KeyForm } from "./key-form";
import { keyFact, setUpWords } from "./key-words";

export type Provider = ModelList["providers"][number];

export interface KeyChanges {
  /** Why it could not be saved, or null. */
  readonly change: (values: Readonly<Record<string, string | null>>) => Promise<string | null>;
  readonly remove: (entry: KeyEntry) => void;
}

interface ProviderRowProps {
  readonly provider: Provider;
  /** The model that is used when none is chosen, where it is this provider's. */
  readonly usual: string | null;
  readonly entries: readonly KeyEntry[];
  readonly changes: KeyChanges;
}

/** A provider: whether it can be used, what it is set up by, and the form for that. */
export function ProviderRow({ provider, usual, entries, changes }: ProviderRowProps) {
  const [open, setOpen] = useState(false);
  const ready = provider.available && provider.models.length > 0;
  const set = entries.filter((entry) => entry.source !== null);
  const canChange = entries.some((entry) => entry.editable);
  return (
    <li className="flex items-start gap-2.5 border-b border-hair py-3 last:border-0">
      <Icon of={ready ? Check : Minus} className={`mt-0.5 ${ready ? "text-good" : "text-faint"}`} />
      <div className="min-w-0 flex-1">
        <div className="flex min-h-8 items-start gap-2">
          <div className="min-w-0 flex-1">
            <p className={`text-14 font-medium ${ready ? "" : "text-muted"}`}>{provider.name}</p>
            <p className="text-13 text-muted [overflow-wrap:anywhere]">{stateWords(provider, usual, canChange)}</p>
          </div>
          {canChange && !open ? (
            <Button aria-label={`${setUpWords(entries)}: ${provider.name}`} onClick={() => setOpen(true)}>
              {setUpWords(entries)}
            </Button>
          ) : null}
        </div>
        {set.map((entry) => (
          <KeyLine key={entry.name} entry={entry} onRemove={() => changes.remove(entry)} />
        ))}
        {open ? <KeyForm entries={entries} onSave={changes.change} onClose={() => setOpen(false)} /> : null}
      </div>
    </li>
  );
}

/** The server's own hint names a variable; here a button stands for it. */
function stateWords(provider: Provider, usual: string | null, canChange: boolean): string {
  if (!provider.available) return canChange && /^Set [A-Z]/.test(provider.reason ?? "") ? "Not set up." : (provider.reason ?? "Not set up.");
  const reason = provider.reason ?? null;
  const count = provider.models.length === 0 && reason !== null ? "" : countOf(provider.models.length, "model");
  const words = [count, usual === null ? "" : `${usual} is used when none is chosen`].filter((part) => part !== "").join(", ");
  return reason === null ? words : `${words}${words === "" ? "" : ". "}${reason}`;
}

/** One variable that is set: its name, as much of it as may be shown, the way to take it out. */
export function KeyLine({ entry, onRemove }: { readonly entry: KeyEntry; readonly onRemove: () => void }) {
  return (
    <div className="flex min-h-8 items-center gap-2 touch:min-h-11">
      <p className="min-w-0 flex-1 text-13 text-muted [overflow-wrap:anywhere]">
        <span className="text-code text-ink mono">{entry.name}</span> {keyFact(entry)}
      </p>
      {entry.editable ? (
        <Button kind="bare" aria-label={`Remove ${entry.name}`} onClick={onRemove} className="-mr-3">
          Remove
        </Button>
      ) : null}
    </div>
  );
}
