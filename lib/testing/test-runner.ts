/** A real runner app on a loopback port of this process, and readers of its database as the web process has them. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readSettings, type Settings } from "#config/settings";
import { readSupervisorStatus } from "#config/supervisor-status";
import type { Database } from "#db/database";
import { openDatabase } from "#db/open-database";
import type { HostLogger } from "#host/host-dependencies";
import type { Journal } from "#journal/journal";
import { createJournal } from "#journal/libsql-journal";
import { openRunner, type Runner } from "#runner/open-runner";
import { createRunnerClient } from "#runtime/runner-client";
import { createRunnerRuntime } from "#runtime/runner-runtime";
import type { Runtime } from "#runtime/runtime-adapter";
import { createTestEnvironment, type TestEnvironmentOptions } from "./test-environment";

export const TEST_VERSION = "0.0.0-test";
export const TEST_KEY = "a-key-for-tests-of-the-runner-0123456789";

export interface TestRunnerOptions extends TestEnvironmentOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly mostLiveRuns?: number;
}

export function testSettings(options: TestRunnerOptions): Settings {
  mkdirSync(join(options.folder, "home"), { recursive: true });
  const read = readSettings({
    HERMES_HOME: join(options.folder, "home"),
    HERMES_WEBUI_STATE_DIR: options.folder,
    HERMES_WEBUI_RUNNER_BASE_URL: "http://127.0.0.1:0",
    HERMES_WEBUI_RUNNER_API_KEY: TEST_KEY,
    HERMES_RUNNER_LEASE_S: "2",
    ...options.env,
  });
  if (!read.ok) throw new Error(read.message);
  return read.settings;
}

export function openTestRunner(options: TestRunnerOptions): Promise<Runner> {
  const settings = testSettings(options);
  return openRunner({ settings, version: TEST_VERSION, environment: createTestEnvironment(options), logger: testLogger(), ...(options.mostLiveRuns === undefined ? {} : { mostLiveRuns: options.mostLiveRuns }) });
}

export function testLogger(): HostLogger {
  const silent = (): void => undefined;
  return { info: silent, warn: silent, error: (facts, message) => process.stderr.write(`${message} ${JSON.stringify(facts)}\n`) };
}

export interface WebReader {
  readonly runtime: Runtime;
  readonly journal: Journal;
  readonly database: Database;
  close(): Promise<void>;
}

/** What a web process in runner mode has: no run, no host, only the client and the shared file. */
export async function openWebReader(place: { readonly folder: string; readonly url: string | null; readonly key?: string; readonly version?: string }): Promise<WebReader> {
  const database = await openDatabase({ url: `file:${join(place.folder, "hermes.db")}` });
  const journal = createJournal({ database, epoch: null, now: () => Date.now() / 1000 });
  const client = place.url === null ? null : createRunnerClient({ base_url: place.url, api_key: place.key ?? TEST_KEY, version: place.version ?? TEST_VERSION });
  const runtime = createRunnerRuntime({ client, journal, database, supervised: () => readSupervisorStatus(place.folder)?.runner ?? null });
  return {
    ...{ runtime, journal, database },
    close: async () => {
      await runtime.close();
      await journal.close();
      database.close();
    },
  };
}
