import type { StopSignals } from "./child";

const STOPPING: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
/** One Ctrl-C arrives twice, from the terminal and passed on by npm; a person needs longer for a second one. */
const ONE_WISH_MS = 1000;

export interface StopListener extends StopSignals {
  dispose(): void;
}

/** The first signal asks for the stop, a later one forces it. */
export function listenForStop(): StopListener {
  const stop = new AbortController();
  const force = new AbortController();
  let askedAt = 0;
  const onSignal = (): void => {
    if (!stop.signal.aborted) askedAt = performance.now();
    else if (performance.now() - askedAt > ONE_WISH_MS) force.abort();
    stop.abort();
  };
  for (const signal of STOPPING) process.on(signal, onSignal);
  return {
    stop: stop.signal,
    force: force.signal,
    dispose() {
      for (const signal of STOPPING) process.off(signal, onSignal);
    },
  };
}
