import type { Health } from "#client/answers";
import { Button } from "../look/button";
import { runnerWords } from "../words/runner-words";

interface ServerPageProps {
  readonly health: Health | null;
  readonly problem: string | null;
  /** Null where no password is set. */
  readonly onLogout: (() => void) | null;
}

const ADAPTER_WORDS: Readonly<Record<string, string>> = {
  "legacy-direct": "Runs live in the web process",
  "legacy-journal": "Runs live in the web process, over the journal",
  "runner-local": "Runs live in the runner and outlive the web process",
};

export function ServerPage({ health, problem, onLogout }: ServerPageProps) {
  const facts = health === null ? [] : factsOf(health);
  return (
    <>
      {problem === null ? null : <p className="pb-2 text-14 text-bad">{problem}</p>}
      <dl>
        {facts.map(([name, value]) => (
          <div key={`${name} ${value}`} className="flex gap-4 border-b border-hair py-2 text-14 last:border-0">
            <dt className="w-40 flex-none text-muted">{name}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      {onLogout === null ? null : (
        <Button onClick={onLogout} className="mt-4">
          Log out
        </Button>
      )}
    </>
  );
}

function factsOf(health: Health): readonly (readonly [string, string])[] {
  const { runner } = health;
  const facts: (readonly [string, string])[] = [
    ["Version", health.version ?? ""],
    ["State", health.status === "ok" ? "Everything works" : "Something does not work"],
    ["Where runs live", ADAPTER_WORDS[health.adapter ?? ""] ?? health.adapter ?? ""],
  ];
  if (runner?.configured === true) facts.push(["Runner", runner.ok ? `Answers${runner.version ? `, version ${runner.version}` : ""}` : runnerWords({ reason: runner.reason ?? null, crash: runner.crash?.kind ?? null })]);
  for (const crash of [runner?.crash, health.web?.crash]) if (crash) facts.push(["Last crash", crash.message]);
  return facts.filter(([, value]) => value !== "");
}
