/**
 * How long a child that died stays down. S1: restarts back off, and the backoff begins anew only
 * after the child was ready for a minimum time, so that one that dies soon after each start does not
 * spin. The first restart comes at once, within two seconds.
 */
export interface BackoffPlan {
  /** Delay before the first, second, third … restart in a row; the last one goes on. */
  readonly delaysMs: readonly number[];
  readonly minimumUptimeMs: number;
}

export const RESTART_BACKOFF: BackoffPlan = {
  delaysMs: [200, 1000, 2000, 5000, 10_000, 30_000],
  minimumUptimeMs: 30_000,
};

export interface Restart {
  /** Failures in a row, this one included. */
  readonly failures: number;
  readonly delayMs: number;
}

/** @param uptimeMs how long the child had been ready; 0 when it never was */
export function nextRestart(failuresBefore: number, uptimeMs: number, plan: BackoffPlan = RESTART_BACKOFF): Restart {
  const failures = uptimeMs >= plan.minimumUptimeMs ? 1 : failuresBefore + 1;
  const index = Math.min(failures, plan.delaysMs.length) - 1;
  return { failures, delayMs: plan.delaysMs[index] ?? 0 };
}
