/**
 * The life of the runner process, from its settings to its exit code. It ends by itself when its work
 * is over, never by force: on the first signal it drains (a later one does not wait), on a lost lease
 * it ends its work and answers failure, so that a supervisor starts it anew.
 */
import { knownSecrets } from "#config/known-secrets";
import { createLogger } from "#config/logger";
import { resolveRunnerKey } from "#config/runner-key";
import { loadSettings, type Settings } from "#config/settings";
import { openStateDirectory } from "#config/state-directory";
import { createAgentEnvironment } from "#engines/create-agent-environment";
import { createRedactor } from "#journal/redact";
import { AppError } from "#protocol/errors";
import { openRunner, type Runner } from "./open-runner";
import { listenForStop, type StopListener } from "./supervisor/stop-signals";

export interface RunnerProcess {
  readonly version: string;
  /** One line for the person who started it. */
  readonly print: (line: string) => void;
  readonly complain: (line: string) => void;
}

const DRAIN_MS = 30_000;
const LAST_USER_MS = 1_000;

/** Runs until it is told to stop or has to; answers the exit code. */
export async function runRunner(self: RunnerProcess): Promise<number> {
  const read = loadSettings();
  if (!read.ok) return refuse(self, read.message);
  const directory = openStateDirectory(read.settings.stateDirectory);
  if (!directory.ok) return refuse(self, directory.message);
  const signals = listenForStop();
  try {
    return await runOn(read.settings, self, signals);
  } catch (error) {
    if (error instanceof AppError) return refuse(self, error.message);
    throw error;
  } finally {
    signals.dispose();
  }
}

async function runOn(settings: Settings, self: RunnerProcess, signals: StopListener): Promise<number> {
  const secrets = knownSecrets(settings, resolveRunnerKey(settings));
  const { text: redact } = createRedactor(() => secrets);
  const logger = createLogger({ process: "runner", stateDirectory: settings.stateDirectory, level: settings.logLevel, redact });
  const runner = await openRunner({ settings, version: self.version, environment: await createAgentEnvironment(settings, logger), logger, lastUserMs: LAST_USER_MS });
  self.print(`Runner ready on ${runner.url}`);
  logger.info({ url: runner.url, version: self.version }, "ready");
  const end = await endOf(runner, signals);
  if (end === "stopped") {
    logger.info({ runs: runner.open.host.liveRuns().length }, "draining");
    await runner.close(DRAIN_MS, signals.force);
    logger.info({}, "stopped");
    return 0;
  }
  logger.error({ runs: runner.open.host.liveRuns().length }, "this runner lost its lease: it was stopped for too long, or another took over; its work ends");
  await runner.close(0, signals.force);
  return 1;
}

function endOf(runner: Runner, signals: StopListener): Promise<"stopped" | "lost"> {
  return new Promise((resolve) => {
    const listen = (signal: AbortSignal, end: "stopped" | "lost"): void => {
      if (signal.aborted) resolve(end);
      else signal.addEventListener("abort", () => resolve(end), { once: true });
    };
    listen(runner.lost, "lost");
    listen(signals.stop, "stopped");
  });
}

function refuse({ complain }: RunnerProcess, line: string): number {
  complain(line);
  return 1;
}
