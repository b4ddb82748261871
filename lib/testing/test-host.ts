/** A host on a real database file, as the web process and the runner open it. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readSettings } from "#config/settings";
import { processMark } from "#config/process-mark";
import { openDatabase } from "#db/open-database";
import type { Database } from "#db/database";
import { acquireOwner } from "#journal/lease";
import type { CommitterTiming } from "#journal/committer";
import { createJournal } from "#journal/libsql-journal";
import type { Journal } from "#journal/journal";
import { openHost } from "#host/open-host";
import type { OpenHost } from "#host/open-host";
import { createTestEnvironment } from "./test-environment";
import type { TestEnvironmentOptions } from "./test-environment";

export interface TestHost extends OpenHost {
  readonly database: Database;
  readonly journal: Journal;
  readonly folder: string;
  /** The first call counts; a test that shut it itself leaves nothing to its clean-up. */
  shut(): Promise<void>;
}

export interface TestHostOptions extends TestEnvironmentOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** How long the journal tries again what a full or locked file did not take. */
  readonly timing?: CommitterTiming;
}

export async function openTestHost(options: TestHostOptions): Promise<TestHost> {
  mkdirSync(join(options.folder, "home"), { recursive: true });
  const read = readSettings({ HERMES_HOME: join(options.folder, "home"), HERMES_WEBUI_STATE_DIR: options.folder, HERMES_RUNNER_LEASE_S: "2", ...options.env });
  if (!read.ok) throw new Error(read.message);
  const now = (): number => Date.now() / 1000;
  const database = await openDatabase({ url: read.settings.database.url });
  const lease = await acquireOwner({
    database,
    kind: "web",
    pid: process.pid,
    pidStarted: processMark(process.pid) ?? "unknown",
    leaseSeconds: read.settings.runner.leaseSeconds,
    now,
    readMark: processMark,
    onFailure: (error) => process.stderr.write(`${String(error)}\n`),
  });
  const journal = createJournal({ database, epoch: lease.epoch, now, ...(options.timing === undefined ? {} : { timing: options.timing }) });
  const silent = (): void => undefined;
  const open = await openHost({
    placement: "web",
    settings: read.settings,
    database,
    journal,
    lease,
    environment: createTestEnvironment(options),
    logger: { info: silent, warn: silent, error: (facts, message) => process.stderr.write(`${message} ${JSON.stringify(facts)}\n`) },
  });
  const shut = async (): Promise<void> => {
    await open.close(200);
    await journal.close();
    database.close();
  };
  let shutting: Promise<void> | null = null;
  return { ...open, database, journal, folder: options.folder, shut: () => (shutting ??= shut()) };
}
