/**
 * A host, put together and brought to life: owner lease, engine, recovery of what dead owners left,
 * and the heartbeat that goes on looking for more. The web process (legacy modes) and the runner open
 * the same thing; only `placement` differs.
 */
import type { Database } from "#db/database";
import type { Journal } from "#journal/journal";
import type { OwnerLease } from "#journal/lease";
import { createIdFactory } from "#protocol/ids";
import type { McpState } from "#protocol/profile-shapes";
import type { RunRequest } from "#protocol/run-request";
import type { ResolvedModel } from "#agent/run-context";
import type { Settings } from "#config/settings";
import type { AgentEnvironment } from "#engines/agent-environment";
import { createBuiltinEngine } from "#engines/builtin";
import { createBackgroundProcesses } from "#agent/tools/background-processes";
import { createContextFactory } from "./run-contexts";
import { FollowUp } from "./follow-up";
import { HostControls } from "./host-controls";
import type { HostLogger } from "./host-dependencies";
import { createPermissions } from "./permissions";
import { recoverRuns } from "./recovery";
import { createProfileRedactors } from "./profile-redactors";
import { RunHost } from "./run-host";

export interface OpenHost {
  readonly host: RunHost;
  readonly controls: HostControls;
  /** The MCP servers of a profile as they are; opens none. */
  mcpServers(profile: string): Promise<readonly McpState[]>;
  /** Aborted when the lease is lost: the process has to end its work. */
  readonly lost: AbortSignal;
  /** Lets runs finish for `graceMs`, interrupts the rest, ends background processes and the environment's, gives the lease back. */
  close(graceMs: number): Promise<void>;
}

export interface OpenHostInput {
  readonly placement: "web" | "runner";
  readonly settings: Settings;
  readonly database: Database;
  readonly journal: Journal;
  readonly lease: OwnerLease;
  readonly logger: HostLogger;
  readonly environment: AgentEnvironment;
}

export async function openHost(input: OpenHostInput): Promise<OpenHost> {
  const { settings, database, journal, lease, logger, environment } = input;
  const now = (): number => Date.now() / 1000;
  const followUp = new FollowUp();
  const processes = createBackgroundProcesses({
    create_id: createIdFactory(),
    now,
    ended: (report) => void followUp.report(host, report.session_id, report.message).catch((cause: unknown) => {
      logger.error({ session_id: report.session_id, cause: String(cause) }, "the end of a background process could not be told");
    }),
  });
  const host = new RunHost(
    {
      placement: input.placement,
      epoch: lease.epoch,
      state_directory: settings.stateDirectory,
      database,
      journal,
      engine: createBuiltinEngine(environment),
      defaults: environment,
      permissions: createPermissions({ database, environment, mode: settings.approvalMode }),
      processes,
      limits: {
        max_concurrent_runs: settings.maxConcurrentRuns,
        max_steps: settings.maxSteps,
        approval_timeout_s: settings.approvalTimeoutSeconds,
        clarify_timeout_s: settings.clarifyTimeoutSeconds,
        recovery: settings.runRecovery,
      },
      create_id: createIdFactory(),
      now,
      redactor_for: createProfileRedactors(environment),
      create_context: createContextFactory({ environment, database, settings }),
      auxiliary_model: (request) => auxiliaryModel(environment, request),
      logger,
    },
    followUp,
  );
  await recoverRuns(host, followUp, lease, "start");
  const watch = watchOwners(settings.runner.leaseSeconds * 1000, async () => {
    const found = await recoverRuns(host, followUp, lease, "later");
    if (found > 0) logger.info({ runs: found }, "runs of a lost owner were recovered");
  }, logger);
  lease.lost.addEventListener("abort", () => abandon(host), { once: true });
  return {
    host,
    controls: new HostControls(host, followUp),
    mcpServers: async (profile) => (await environment.mcpStatus(profile)).map((state) => ({ ...state, tools: [...state.tools] })),
    lost: lease.lost,
    close: async (graceMs) => {
      clearInterval(watch);
      await host.drain(graceMs);
      await followUp.close();
      await Promise.all([processes.stopAll(), environment.close()]);
      await lease.release();
    },
  };
}

const AUXILIARY_MODEL_MS = 5_000;

async function auxiliaryModel(environment: AgentEnvironment, request: RunRequest): Promise<ResolvedModel | null> {
  const model = await environment.modelOf(request, AbortSignal.timeout(AUXILIARY_MODEL_MS));
  return model.ok ? model.value : null;
}

/** Looks for lost owners once per lease; a look that fails is logged and the next one comes. */
function watchOwners(everyMs: number, look: () => Promise<void>, logger: HostLogger): NodeJS.Timeout {
  const timer = setInterval(() => {
    look().catch((cause: unknown) => logger.warn({ cause: String(cause) }, "looking for lost owners failed"));
  }, everyMs);
  timer.unref();
  return timer;
}

/** H1: whoever lost the lease ends its work at once; what it would still say is refused anyway. */
function abandon(host: RunHost): void {
  for (const run of host.liveRuns()) run.interrupt("This process lost its lease.", { reason: "lease_lost", pid: process.pid });
}
