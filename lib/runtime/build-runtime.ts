/**
 * The one place that turns the configured mode into a backend. An unknown mode cannot get here
 * (settings refuse it), and no mode ever falls back to another: what is not configured or does not
 * answer says so with its own code.
 */
import type { Settings } from "#config/settings";
import { readSupervisorStatus } from "#config/supervisor-status";
import type { Database } from "#db/database";
import type { HostLogger } from "#host/host-dependencies";
import { createJournal } from "#journal/libsql-journal";
import type { Journal } from "#journal/journal";
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

export async function buildRuntime(input: BuildRuntimeInput): Promise<BuiltRuntime> {
  if (input.settings.adapter === "runner-local") return runnerRuntime(input);
  // Host and agent come in only where they live in this process: half of what it would load otherwise.
  const { openInProcess } = await import("./open-in-process");
  return openInProcess(input);
}

function runnerRuntime({ settings, database, version }: BuildRuntimeInput): BuiltRuntime {
  const journal = createJournal({ database, epoch: null, now });
  const { baseUrl, apiKey } = settings.runner;
  const client = baseUrl === null ? null : createRunnerClient({ base_url: baseUrl, api_key: apiKey ?? "", version });
  return { runtime: createRunnerRuntime({ client, journal, database, supervised: () => readSupervisorStatus(settings.stateDirectory)?.runner ?? null }), journal };
}
