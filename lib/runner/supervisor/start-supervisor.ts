/**
 * A start from the claim of the state directory to its release: put aside or take over what an earlier
 * supervisor left, run, say once that the page can be used, say in one line why it cannot.
 */
import type { Logger } from "pino";
import { knownSecrets } from "#config/known-secrets";
import { createLogger } from "#config/logger";
import { removePidFile } from "#config/pid-file";
import { resolveRunnerKey } from "#config/runner-key";
import { adoptRunner } from "./adopt-runner";
import { adoptProcess, stopProcess, type WatchedProcess } from "./child-process";
import { probeHealth } from "./health-probe";
import { runnerThere, webLeftBehind } from "./left-behind";
import { openBrowser } from "./open-browser";
import { whyPortIsNotFree } from "./port-check";
import { RESTART_WEB_SIGNAL } from "./running-commands";
import { claimStart, type Obstacle, releaseStart } from "./start-checks";
import type { StartOptions } from "./start-options";
import type { StartPlan } from "./start-plan";
import type { StartRequest } from "./start-request";
import { listenForStop, type StopListener } from "./stop-signals";
import { Supervisor, type SupervisorOutcome } from "./supervisor";
import { aborted, poll, wait } from "./wait";

const USUALLY_READY_WITHIN_MS = 30_000;
const EXPLAIN_WAITING_AFTER_MS = 1500;

/** Runs until it is stopped; answers the exit code. */
export async function startSupervisor(plan: StartPlan, options: StartOptions, request: StartRequest): Promise<number> {
  const claim = await claimStart(plan);
  if (!claim.free) return tell(claim, request);
  const signals = listenForStop();
  try {
    return await superviseClaimed(plan, options, request, signals);
  } finally {
    signals.dispose();
    releaseStart(plan);
  }
}

async function superviseClaimed(plan: StartPlan, options: StartOptions, request: StartRequest, signals: StopListener): Promise<number> {
  const key = plan.runner === null ? null : resolveRunnerKey(plan.settings);
  const redact = redactorOf(knownSecrets(plan.settings, key));
  const { stateDirectory, logLevel } = plan.settings;
  const logger = createLogger({ process: "supervisor", stateDirectory, level: logLevel, redact });
  await stopWebLeftBehind(plan, signals, logger);
  const watching = new AbortController();
  const adoptedRunner = await takeOverRunner(plan, key, request.installation.version, { watch: watching.signal, force: signals.force }, logger);
  const supervisor = new Supervisor({ plan, logger, adoptedRunner, passOn: request.complain });
  const onRestart = (): void => supervisor.restartWeb();
  process.on(RESTART_WEB_SIGNAL, onRestart);
  const over = new AbortController();
  try {
    const announced = announceReady(plan, supervisor, AbortSignal.any([signals.stop, over.signal]), options, request);
    const explained = explainWaiting(signals.stop, over.signal, request);
    const outcome = await supervisor.run(signals);
    over.abort();
    await Promise.all([announced, explained]);
    return await tellOutcome(outcome, plan, redact, request);
  } finally {
    process.off(RESTART_WEB_SIGNAL, onRestart);
    watching.abort();
  }
}

async function stopWebLeftBehind(plan: StartPlan, signals: StopListener, logger: Logger): Promise<void> {
  const left = webLeftBehind(plan.settings.stateDirectory);
  if (left === null) return;
  logger.warn({ left_pid: left.pid }, "A web process without its supervisor is replaced.");
  await stopProcess(adoptProcess(left.pid, left.start_mark, signals.force), plan.web.stopGraceMs, signals.force);
  removePidFile(plan.settings.stateDirectory, "web", left.pid);
}

async function takeOverRunner(
  plan: StartPlan,
  key: string | null,
  version: string,
  signals: { readonly watch: AbortSignal; readonly force: AbortSignal },
  logger: Logger,
): Promise<WatchedProcess | null> {
  const record = runnerThere(plan.settings.stateDirectory);
  if (plan.runner === null || record === null) return null;
  const { url, stopGraceMs } = plan.runner;
  const adoption = await adoptRunner({ record, url, key, version, stopGraceMs }, signals);
  if (adoption.adopted) return adoption.process;
  logger.warn({ left_pid: record.pid, reason: adoption.reason }, `The runner that was there is replaced: ${adoption.reason}.`);
  return null;
}

/** One line, once everything answers and the page itself says that all is well. */
async function announceReady(plan: StartPlan, supervisor: Supervisor, signal: AbortSignal, options: StartOptions, request: StartRequest): Promise<void> {
  const isUsable = async (): Promise<true | null> => {
    if (!supervisor.isReady()) return null;
    const probe = await probeHealth(plan.web.healthUrl, 2000);
    return probe.answered && probe.health.status === "ok" ? true : null;
  };
  const soon = await poll(isUsable, { everyMs: 20, timeoutMs: USUALLY_READY_WITHIN_MS, signal });
  if (soon === null && !signal.aborted) request.complain(`Not ready yet; ${plan.web.healthUrl} says why.`);
  const usable = soon ?? (await poll(isUsable, { everyMs: 500, timeoutMs: Number.POSITIVE_INFINITY, signal }));
  if (usable === null) return;
  request.print(`Ready on ${plan.url}`);
  if (options.open) openBrowser(plan.url, request.complain);
}

/** A stop that takes long waits for runs; who sits in front of it should know, and know the way out. */
async function explainWaiting(stop: AbortSignal, over: AbortSignal, request: StartRequest): Promise<void> {
  await aborted(AbortSignal.any([stop, over]));
  await wait(EXPLAIN_WAITING_AFTER_MS, over);
  if (!over.aborted) request.complain("Waiting for what still runs, at most half a minute; Ctrl-C again ends it now.");
}

async function tellOutcome(outcome: SupervisorOutcome, plan: StartPlan, redact: (text: string) => string, request: StartRequest): Promise<number> {
  if (outcome.stopped) return 0;
  const { settings } = plan;
  const portTaken = outcome.crash.kind === "port_taken" ? await whyPortIsNotFree(settings.host, settings.port, "--port") : null;
  if (portTaken === null) {
    const words = redact(outcome.lastOutput).split("\n").filter((line) => line.trim() !== "" && !line.startsWith("{"));
    for (const line of words.slice(-15)) request.complain(line);
  }
  request.complain(portTaken ?? `${outcome.crash.message} Its output is in ${outcome.outputPath}`);
  return 1;
}

/** A start that found one running is no failure: that line is its answer. */
export function tell(check: Obstacle, { print, complain }: StartRequest): number {
  (check.exitCode === 0 ? print : complain)(check.message);
  return check.exitCode;
}

function redactorOf(secrets: readonly string[]): (text: string) => string {
  return (text) => secrets.reduce((safe, secret) => safe.replaceAll(secret, "[redacted]"), text);
}
