import { useEffect, useState } from "react";
import { useClient } from "#client/context";
import type { RunnerTrouble } from "../words/runner-words";

const CALM_MS = 15_000;
const AWAY_MS = 2_000;

/** What is known to be wrong with the runner, or null. Asked for now and then while the page is visible, more often while something is wrong. */
export function useRunnerHealth(): RunnerTrouble | null {
  const { api } = useClient();
  const [trouble, setTrouble] = useState<RunnerTrouble | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    const ask = async (): Promise<void> => {
      const answer = document.visibilityState === "visible" ? await api.setup.health() : null;
      if (stopped) return;
      // No answer at all is the connection's matter, not the runner's.
      const runner = answer?.ok === true ? answer.value.runner : undefined;
      const found = runner === undefined || runner.ok ? null : { reason: runner.reason ?? null, crash: runner.crash?.kind ?? null };
      setTrouble((known) => (isSame(known, found) ? known : found));
      timer = setTimeout(() => void ask(), found === null ? CALM_MS : AWAY_MS);
    };
    timer = setTimeout(() => void ask(), AWAY_MS);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [api]);
  return trouble;
}

function isSame(one: RunnerTrouble | null, other: RunnerTrouble | null): boolean {
  return one?.reason === other?.reason && one?.crash === other?.crash;
}
