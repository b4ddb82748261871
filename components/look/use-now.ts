/**
 * The time in Unix seconds as state, for what counts on the page. One subscription a component, only
 * while `running`; the server and the first paint get the time of mounting.
 */
import { useCallback, useSyncExternalStore } from "react";

/** `everySeconds`: how often it may change. With `running` false it is the time of the last render. */
export function useNow(running: boolean, everySeconds = 1): number {
  const subscribe = useCallback(
    (notify: () => void) => {
      if (!running) return () => undefined;
      const timer = setInterval(notify, everySeconds * 1000);
      return () => clearInterval(timer);
    },
    [running, everySeconds],
  );
  const read = (): number => Math.floor(Date.now() / 1000 / everySeconds) * everySeconds;
  return useSyncExternalStore(subscribe, read, read);
}
