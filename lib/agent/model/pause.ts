/** Waits `ms`, or less: an abort ends the wait at once. Never rejects, leaves no timer and no listener behind. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
    signal.addEventListener("abort", end, { once: true });
  });
}

/** What a 32-bit timer can hold; more would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;
