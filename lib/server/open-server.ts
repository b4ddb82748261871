/** Opens everything that a server stands on, in order; what was opened is closed again when a later part fails. */
import { knownSecrets } from "#config/known-secrets";
import { createLogger } from "#config/logger";
import { resolveRunnerKey } from "#config/runner-key";
import { loadSettings, type Settings } from "#config/settings";
import { openStateDirectory } from "#config/state-directory";
import type { Database } from "#db/database";
import { openDatabase } from "#db/open-database";
import { createRedactor } from "#journal/redact";
import { SecretBook } from "#profiles/secret-book";
import { AppError } from "#protocol/errors";
import { buildRuntime } from "#runtime/build-runtime";
import { assembleServer } from "./assemble-server";
import type { Peers } from "./peers";
import type { Server } from "./server";
import { StartFailure } from "./start-failure";

/** Throws `StartFailure` for what the person can mend: a setting, the state directory, the database. */
export async function openServer(version: string, peers: Peers): Promise<Server> {
  const read = loadSettings();
  if (!read.ok) throw new StartFailure(read.message);
  const directory = openStateDirectory(read.settings.stateDirectory);
  if (!directory.ok) throw new StartFailure(directory.message);
  const settings = withRunnerKey(read.settings);
  const database = await openDatabaseFile(settings);
  try {
    return await openOn(database, settings, version, peers);
  } catch (error) {
    database.close();
    throw error instanceof AppError ? new StartFailure(error.message, error) : error;
  }
}

async function openOn(database: Database, settings: Settings, version: string, peers: Peers): Promise<Server> {
  const saved = new SecretBook();
  const { text: redact } = createRedactor(() => [...knownSecrets(settings, settings.runner.apiKey), ...saved.ofAll(settings.hermesHome)]);
  const logger = createLogger({ process: "web", stateDirectory: settings.stateDirectory, level: settings.logLevel, redact });
  const { runtime, journal } = await buildRuntime({ settings, database, logger, version });
  return assembleServer({
    ...{ version, settings, logger, database, journal, runtime, peers },
    closeParts: async () => {
      await runtime.close();
      await journal.close();
      database.close();
    },
  });
}

/** The key of a runner on this machine lies in the state directory, not in the environment. */
function withRunnerKey(settings: Settings): Settings {
  if (settings.adapter !== "runner-local") return settings;
  return { ...settings, runner: { ...settings.runner, apiKey: resolveRunnerKey(settings) } };
}

async function openDatabaseFile(settings: Settings): Promise<Database> {
  try {
    return await openDatabase({ url: settings.database.url });
  } catch (error) {
    throw error instanceof AppError ? new StartFailure(error.message, error) : error;
  }
}
