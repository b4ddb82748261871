/** What the runner says of itself to whoever asks, within half a second and without a key. */
import type { RunnerParts } from "./runner-parts";

const DATABASE_BOUND_MS = 300;

export interface RunnerHealth {
  /** `degraded`: it runs, and its database does not answer. */
  readonly status: "ok" | "degraded" | "draining";
  readonly version: string;
  readonly pid: number;
  readonly uptime_s: number;
  readonly active_runs: number;
  readonly draining: boolean;
}

export async function readHealth(parts: RunnerParts): Promise<RunnerHealth> {
  const { host } = parts.open;
  const databaseAnswers = await answersInTime(parts.database.execute("SELECT 1"));
  return {
    status: host.isDraining ? "draining" : databaseAnswers ? "ok" : "degraded",
    version: parts.version,
    pid: process.pid,
    uptime_s: Math.max(0, Math.round((parts.now() - parts.startedAt) * 1000) / 1000),
    active_runs: host.liveRuns().length,
    draining: host.isDraining,
  };
}

async function answersInTime(look: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), DATABASE_BOUND_MS);
  });
  const answered = look.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}
