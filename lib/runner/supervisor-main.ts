/**
 * Entry of `dist/supervisor.mjs`, which `bin/start.mjs` calls: first `preflight`, possibly of an older
 * build, before anything is installed or built anew; then `supervise` of the fresh one. Both are told
 * everything; neither reads the environment or ends the process.
 */
import { readPidFile } from "#config/pid-file";
import { readSettings } from "#config/settings";
import { type CommandContext, NOT_RUNNING, restartWeb, showStatus, stopRunning } from "./supervisor/running-commands";
import { checkStart } from "./supervisor/start-checks";
import { parseStartOptions, START_USAGE, type StartOptions } from "./supervisor/start-options";
import type { StartPlan } from "./supervisor/start-plan";
import { planRequest, type StartRequest } from "./supervisor/start-request";
import { startSupervisor, tell } from "./supervisor/start-supervisor";
import { listenForStop } from "./supervisor/stop-signals";

export type Preflight = { readonly done: true; readonly exitCode: number } | { readonly done: false };

type Understood =
  | { readonly done: true; readonly exitCode: number }
  | { readonly done: false; readonly options: StartOptions; readonly plan: StartPlan };

/** Whatever needs no fresh build: wrong options and settings, what runs already, a taken port, status, stop. */
export async function preflight(request: StartRequest): Promise<Preflight> {
  const understood = understand(request);
  if (understood.done) return understood;
  const { options, plan } = understood;
  if (options.command === "status") return { done: true, exitCode: showStatus(contextOf(plan, request, new AbortController().signal)) };
  if (options.command === "stop") return { done: true, exitCode: await withSignals(plan, request, stopRunning) };
  if (options.command === "restart-web") {
    if (readPidFile(plan.settings.stateDirectory, "supervisor") !== null) return { done: false };
    request.complain("Not running");
    return { done: true, exitCode: NOT_RUNNING };
  }
  const check = await checkStart(plan);
  return check.free ? { done: false } : { done: true, exitCode: tell(check, request) };
}

/** The address of what runs on the state directory of this environment, or null. */
export function runningUrl(request: StartRequest): string | null {
  const settings = readSettings(request.environment);
  return settings.ok ? (readPidFile(settings.settings.stateDirectory, "supervisor")?.url ?? null) : null;
}

/** Does what was asked; for a start this is the life of the supervisor. Answers the exit code. */
export async function supervise(request: StartRequest): Promise<number> {
  const understood = understand(request);
  if (understood.done) return understood.exitCode;
  const { options, plan } = understood;
  if (options.command === "start") return startSupervisor(plan, options, request);
  if (options.command === "restart-web") return withSignals(plan, request, restartWeb);
  const answered = await preflight(request);
  return answered.done ? answered.exitCode : 0;
}

function understand(request: StartRequest): Understood {
  const parsed = parseStartOptions(request.words);
  if (!parsed.ok) return refuse(request, parsed.message);
  if (parsed.options.command === "help") {
    request.print(START_USAGE);
    return { done: true, exitCode: 0 };
  }
  const planned = planRequest(request, parsed.options);
  return planned.ok ? { done: false, options: parsed.options, plan: planned.plan } : refuse(request, planned.message);
}

function refuse({ complain }: StartRequest, message: string): Understood {
  complain(message);
  return { done: true, exitCode: 1 };
}

async function withSignals(plan: StartPlan, request: StartRequest, act: (context: CommandContext) => Promise<number>): Promise<number> {
  const signals = listenForStop();
  try {
    return await act(contextOf(plan, request, signals.stop));
  } finally {
    signals.dispose();
  }
}

function contextOf({ settings }: StartPlan, { print, complain }: StartRequest, signal: AbortSignal): CommandContext {
  return { settings, print, complain, signal };
}
