import { databaseFailureOf } from "./database-error";

export interface BusyRetry {
  /** Milliseconds between two tries. */
  readonly everyMs: number;
  /** Milliseconds after which the last failure is thrown. */
  readonly forMs: number;
  readonly signal: AbortSignal;
}

/**
 * Runs `action` until it does not meet a lock. The driver waits inside a call and stops the whole
 * process meanwhile, so it may wait only shortly there; the long wait is a timer here.
 */
export async function retryWhileBusy<T>(action: () => Promise<T>, retry: BusyRetry): Promise<T> {
  const deadline = performance.now() + retry.forMs;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (databaseFailureOf(error) !== "locked" || performance.now() >= deadline || retry.signal.aborted) throw error;
    }
    await pause(retry.everyMs, retry.signal);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal.addEventListener("abort", finish, { once: true });
  });
}
