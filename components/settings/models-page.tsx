import { Check, Minus } from "lucide-react";
import type { ModelList } from "#client/answers";
import { Button } from "../look/button";
import { Icon } from "../look/icon";
import { countOf } from "../words/count-words";

interface ModelsPageProps {
  readonly models: ModelList | null;
  readonly problem: string | null;
  readonly onReload: () => void;
}

/** Which providers can be used and why others cannot. Keys are read from the environment and from the profile's own file. */
export function ModelsPage({ models, problem, onReload }: ModelsPageProps) {
  return (
    <>
      <div className="flex items-start gap-4 pb-2">
        <p className="flex-1 text-14 text-muted">
          A key is found in the environment of the server, or in the file .env of the profile that a session uses. After a change, look again.
        </p>
        <Button onClick={onReload}>Look again</Button>
      </div>
      {problem === null ? null : <p className="text-14 text-bad">{problem}</p>}
      <ul>
        {(models?.providers ?? []).map((provider) => (
          <li key={provider.id} className="flex items-start gap-2.5 border-b border-hair py-2.5 last:border-0">
            <Icon of={provider.available ? Check : Minus} className={`mt-0.5 ${provider.available ? "text-good" : "text-faint"}`} />
            <div className="min-w-0 flex-1">
              <p className={`text-14 font-medium ${provider.available ? "" : "text-muted"}`}>{provider.name}</p>
              <p className="text-13 text-muted [overflow-wrap:anywhere]">
                {provider.available ? countOf(provider.models.length, "model") : (provider.reason ?? "Not set up.")}
                {models?.default?.provider === provider.id && models.default.model !== null ? `, ${models.default.model} is used when none is chosen` : ""}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
