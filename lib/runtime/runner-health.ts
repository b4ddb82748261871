/**
 * How the runner is, within a second and with a reason that tells cases apart: what does not answer is
 * looked up at its supervisor, which saw how it died, and among the owners of runs, where a runner that
 * died without giving its lease back still stands.
 */
import { z } from "zod";
import { processMark } from "#config/process-mark";
import { recentCrash, type ChildReport } from "#config/supervisor-status";
import type { Database } from "#db/database";
import { judgeOwner, pidNamespace } from "#journal/owner-fate";
import type { RunnerFaultReason } from "#protocol/runner-health";
import type { RuntimeHealth } from "./runtime-adapter";
import type { RunnerClient, RunnerReply } from "./runner-client";

/** Both calls at once; whoever asks for health bounds it by 700 ms. */
const HEALTH_TIMEOUT_MS = 600;

const healthSchema = z.object({
  status: z.string().max(100),
  version: z.string().max(200),
  active_runs: z.number().int().nonnegative(),
  draining: z.boolean(),
});
type RunnerSays = z.infer<typeof healthSchema>;
const ownerSchema = z.object({ epoch: z.number(), kind: z.string(), pid: z.number(), pid_started: z.string(), expires_at: z.number() });

export interface RunnerHealthInput {
  readonly client: RunnerClient;
  readonly database: Database;
  /** What the runner's supervisor knows; null where there is none. */
  readonly supervised: ChildReport | null;
}

export async function readRunnerHealth({ client, database, supervised }: RunnerHealthInput): Promise<RuntimeHealth> {
  const crash = recentCrash(supervised, Date.now() / 1000);
  const told = crash === null ? {} : { crash };
  const [said, key] = await Promise.all([
    client.call({ method: "GET", path: "/health", answer: healthSchema, timeout_ms: HEALTH_TIMEOUT_MS }),
    client.call({ method: "GET", path: "/v1/capabilities", answer: z.looseObject({}), timeout_ms: HEALTH_TIMEOUT_MS }),
  ]);
  if (said.kind !== "answered") {
    const reason = said.kind === "refused" ? "garbage" : said.reason;
    const isCrashed = reason === "missing" && ((crash !== null && supervised?.state !== "ready") || (await newestRunnerDied(database)));
    return { configured: true, ok: false, reason: isCrashed ? "crashed" : reason, ...told };
  }
  const { version, active_runs } = said.value;
  const reason = faultOf(said.value, key, client.version);
  return { configured: true, ok: reason === null, version, active_runs, ...(reason === null ? {} : { reason }), ...told };
}

function faultOf(said: RunnerSays, key: RunnerReply<unknown>, version: string): RunnerFaultReason | null {
  if (said.draining || said.status === "draining") return "draining";
  if (said.version !== version) return "wrong_version";
  if (key.kind === "failed") return key.reason;
  return said.status === "ok" ? null : "unhealthy";
}

/** True when the newest runner holds its lease still and its process is gone. */
async function newestRunnerDied(database: Database): Promise<boolean> {
  const { rows } = await database.execute(
    "SELECT epoch, kind, pid, pid_started, expires_at FROM owners WHERE kind = 'runner' AND lost_at IS NULL ORDER BY epoch DESC LIMIT 1",
  );
  const owner = ownerSchema.safeParse(rows[0]);
  if (!owner.success) return false;
  const context = { now: Date.now() / 1000, leaseSeconds: 0, namespace: pidNamespace(), readMark: processMark };
  return judgeOwner(owner.data, context).kind === "dead";
}
