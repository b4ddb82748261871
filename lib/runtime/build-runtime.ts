/**
 * The one place that turns the configured mode into a backend. An unknown mode cannot get here
 * (settings refuse it), and no mode ever falls back to another: what is not configured or does not
 * answer says so with its own code.
 */
import type { Settings } from "#config/settings";
import { processMark } from "#config/process-mark";
import { readSupervisorStatus } from "#config/supervisor-status";
import type { Database } from "#db/database";
import { createAgentEnvironment } from "#engines/create-agent-environment";
import type { HostLogger } from "#host/host-dependencies";
import { openHost } from "#host/open-host";
import { acquireOwner } from "#journal/lease";
import { createJournal } from "#journal/libsql-journal";
import type { Journal } from "#journal/journal";
import { createInProcessRuntime } from "./in-process-runtime";
import { createRunnerClient } from "./runner-client";
import { createRunnerRuntime } from "./runner-runtime";
import type { Runtime } from "./runtime-adapter";

export interface BuildRuntimeInput {
  readonly settings: Settings;
  readonly database: Database;
  readonly logger: HostLogger;
  readonly version: string;
}

export interface BuiltRuntime {
  readonly runtime: Runtime;
  /** Of an owner of runs where the host lives here, else a reader's. */
  readonly journal: Journal;
}

const now = (): number => Date.now() / 1000;

export function buildRuntime(input: BuildRuntimeInput): Promise<BuiltRuntime> {
  return input.settings.adapter === "runner-local" ? Promise.resolve(runnerRuntime(input)) : inProcessRuntime(input);
}

function runnerRuntime({ settings, database, version }: BuildRuntimeInput): BuiltRuntime {
  const journal = createJournal({ database, epoch: null, now });
  const { baseUrl, apiKey } = settings.runner;
  const client = baseUrl === null ? null : createRunnerClient({ base_url: baseUrl, api_key: apiKey ?? "", version });
  return { runtime: createRunnerRuntime({ client, journal, database, supervised: () => readSupervisorStatus(settings.stateDirectory)?.runner ?? null }), journal };
}

async function inProcessRuntime({ settings, database, logger, version }: BuildRuntimeInput): Promise<BuiltRuntime> {
  const lease = await acquireOwner({
    database,
    kind: "web",
    pid: process.pid,
    pidStarted: processMark(process.pid) ?? "unknown",
    leaseSeconds: settings.runner.leaseSeconds,
    now,
    readMark: processMark,
    onFailure: (error) => logger.warn({ cause: String(error) }, "the lease could not be renewed"),
  });
  const journal = createJournal({ database, epoch: lease.epoch, now });
  const open = await openHost({ placement: "web", settings, database, journal, lease, logger, environment: await createAgentEnvironment(settings, logger) });
  return { runtime: createInProcessRuntime({ mode: settings.adapter, open, journal, database, version }), journal };
}
