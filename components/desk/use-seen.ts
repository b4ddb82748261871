import { useEffect } from "react";
import { useDesk } from "./desk-context";

const PAUSE_MS = 400;

/**
 * Tells the server what has been on a visible screen, so that the session is not unread on any other.
 * `settledAt`: the last event once nothing runs, or null while it runs; only ends are marked.
 */
export function useSeen(sessionId: string, settledAt: string | null): void {
  const { routes } = useDesk();
  useEffect(() => {
    if (settledAt === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const mark = (): void => {
      if (document.visibilityState !== "visible" || timer !== undefined) return;
      timer = setTimeout(() => void routes.markSeen(sessionId, settledAt), PAUSE_MS);
    };
    mark();
    document.addEventListener("visibilitychange", mark);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", mark);
    };
  }, [routes, sessionId, settledAt]);
}
