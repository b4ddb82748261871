/** After a stop the engine has a while to end by itself; then the run is settled without it. */
import type { RunOutcome } from "#agent/run-context";

const STOP_GRACE_MS = 12_000;

/** The engine's own end, or after a stop at the latest the grace time's. */
export async function withGrace(execution: Promise<RunOutcome>, signal: AbortSignal): Promise<RunOutcome> {
  let timer: NodeJS.Timeout | null = null;
  const grace = new Promise<RunOutcome>((resolve) => {
    const arm = (): void => {
      timer = setTimeout(() => resolve({ kind: "cancelled" }), STOP_GRACE_MS);
    };
    if (signal.aborted) arm();
    else signal.addEventListener("abort", arm, { once: true });
  });
  try {
    return await Promise.race([execution, grace]);
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}
