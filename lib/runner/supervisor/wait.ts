import { setTimeout as timer } from "node:timers/promises";

/** Waits, or returns early when the signal is aborted. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await timer(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Resolves once the signal is aborted; at once when it is already. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Asks again and again until the answer is not null, the time is over (null) or the signal is aborted (null). */
export async function poll<Answer>(
  ask: () => Promise<Answer | null> | Answer | null,
  limits: { readonly everyMs: number; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Answer | null> {
  const deadline = performance.now() + limits.timeoutMs;
  while (!limits.signal.aborted) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() >= deadline) return null;
    await wait(limits.everyMs, limits.signal);
  }
  return null;
}
