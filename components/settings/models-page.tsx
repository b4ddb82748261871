import type { ReactNode } from "react";
import type { ModelList } from "#client/answers";
import type { KeyEntry } from "#protocol/profile-shapes";
import { Button } from "../look/button";
import { type KeyChanges, ProviderRow } from "./provider-row";
import { VariableList } from "./variable-list";

interface ModelsPageProps {
  readonly models: ModelList | null;
  readonly keys: readonly KeyEntry[];
  readonly problem: string | null;
  readonly changes: KeyChanges;
  readonly onReload: () => void;
  /** Whose keys these are. */
  readonly profile: ReactNode;
}

/** Which providers can be used, by which keys, and why others cannot. */
export function ModelsPage({ models, keys, problem, changes, onReload, profile }: ModelsPageProps) {
  const usual = models?.default ?? null;
  return (
    <>
      <div className="flex flex-wrap items-start gap-2 pb-2">
        <p className="min-w-56 flex-1 text-14 text-pretty text-muted">Keys are kept in the file .env of the profile. A saved one is never shown again, only its last characters.</p>
        {profile}
        <Button onClick={onReload}>Look again</Button>
      </div>
      <p role="alert" className="text-14 text-bad empty:hidden">
        {problem}
      </p>
      <ul>
        {(models?.providers ?? []).map((provider) => (
          <ProviderRow
            key={provider.id}
            provider={provider}
            usual={usual?.provider === provider.id ? usual.model : null}
            entries={keys.filter((entry) => entry.provider === provider.id)}
            changes={changes}
          />
        ))}
      </ul>
      {models === null ? null : <VariableList entries={keys.filter((entry) => entry.provider === null)} changes={changes} />}
    </>
  );
}
