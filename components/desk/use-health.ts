import { useEffect, useState } from "react";
import { useClient } from "#client/context";

const CALM_MS = 15_000;
const AWAY_MS = 2_000;

/** False while the runner is known to be away. Asked for now and then while the page is visible, more often while it is away. */
export function useRunnerHealth(): boolean {
  const { api } = useClient();
  const [isThere, setIsThere] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    const ask = async (): Promise<void> => {
      const answer = document.visibilityState === "visible" ? await api.setup.health() : null;
      if (stopped) return;
      // No answer at all is the connection's matter, not the runner's.
      const runner = answer?.ok === true ? answer.value.runner : undefined;
      const there = runner === undefined || !runner.configured || runner.ok;
      setIsThere(there);
      timer = setTimeout(() => void ask(), there ? CALM_MS : AWAY_MS);
    };
    timer = setTimeout(() => void ask(), AWAY_MS);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [api]);
  return isThere;
}
