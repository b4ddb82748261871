/**
 * What can be said of the process within a second, whatever hangs: each look is raced against a
 * bound, and one that lost says so instead of holding the answer. What a process died of its supervisor
 * knows (S3): the runner's crash stands beside its reason, this process's own as `web.crash`.
 */
import { readSupervisorStatus, recentCrash } from "#config/supervisor-status";
import type { ProcessCrash } from "#protocol/runner-health";
import type { RuntimeHealth } from "#runtime/runtime-adapter";
import type { Server } from "./server";

const BOUND_MS = 700;

export interface Health {
  readonly status: "ok" | "degraded";
  readonly version: string;
  readonly adapter: string;
  readonly database: { readonly ok: boolean; readonly path_kind: "file" };
  readonly runner: RuntimeHealth;
  /** Only when a web process died lately: this one took its place. */
  readonly web?: { readonly crash: ProcessCrash };
  readonly streams: number;
  readonly uptime_s: number;
}

export async function readHealth(server: Server): Promise<Health> {
  const [databaseOk, runner] = await Promise.all([
    bounded(server.database.execute("SELECT 1").then(() => true), false),
    bounded<RuntimeHealth>(server.runtime.health(), { configured: server.settings.runner.baseUrl !== null, ok: false, reason: "not_answering" }),
  ]);
  const crash = recentCrash(readSupervisorStatus(server.settings.stateDirectory)?.web, Date.now() / 1000);
  return {
    status: databaseOk && runner.ok ? "ok" : "degraded",
    version: server.version,
    adapter: server.runtime.adapter.mode,
    database: { ok: databaseOk, path_kind: "file" },
    runner,
    ...(crash === null ? {} : { web: { crash } }),
    streams: server.streams.count,
    uptime_s: Math.max(0, Math.round((Date.now() / 1000 - server.startedAt) * 1000) / 1000),
  };
}

/** The value, or `otherwise` when it failed or takes too long. */
async function bounded<T>(work: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), BOUND_MS);
  });
  try {
    return await Promise.race([work, late]);
  } catch {
    return otherwise;
  } finally {
    clearTimeout(timer);
  }
}
