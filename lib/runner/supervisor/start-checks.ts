import { claimPidFile, readPidFile, removePidFile } from "#config/pid-file";
import { openStateDirectory } from "#config/state-directory";
import { runnerThere, webLeftBehind } from "./left-behind";
import { whyPortIsNotFree } from "./port-check";
import type { StartPlan } from "./start-plan";

export interface Obstacle {
  readonly free: false;
  /** 0 when the start is not needed. */
  readonly exitCode: number;
  readonly message: string;
}
export type StartCheck = { readonly free: true } | Obstacle;

/** What stands in the way of a start: one that runs already (no failure), the directory, a taken port. */
export async function checkStart(plan: StartPlan): Promise<StartCheck> {
  const directory = openStateDirectory(plan.settings.stateDirectory);
  if (!directory.ok) return refuse(directory.message);
  const running = readPidFile(plan.settings.stateDirectory, "supervisor");
  return running === null ? checkPorts(plan) : alreadyRunning(running.url);
}

/** Makes the directory this start's own: of two at one moment one runs, before either looks at a port. */
export async function claimStart(plan: StartPlan): Promise<StartCheck> {
  const { stateDirectory } = plan.settings;
  const directory = openStateDirectory(stateDirectory);
  if (!directory.ok) return refuse(directory.message);
  const claim = claimPidFile(stateDirectory, "supervisor", plan.url);
  if (!claim.claimed) return alreadyRunning(claim.holder.url);
  const ports = await checkPorts(plan);
  if (!ports.free) releaseStart(plan);
  return ports;
}

export function releaseStart({ settings }: StartPlan): void {
  removePidFile(settings.stateDirectory, "supervisor");
}

/** Ports of processes that are to be taken over or replaced are theirs still. */
async function checkPorts({ settings, runner }: StartPlan): Promise<StartCheck> {
  if (webLeftBehind(settings.stateDirectory) === null) {
    const reason = await whyPortIsNotFree(settings.host, settings.port, "--port");
    if (reason !== null) return refuse(reason);
  }
  if (runner !== null && runnerThere(settings.stateDirectory) === null) {
    const { hostname, port } = new URL(runner.url);
    const option = settings.runner.baseUrl === null ? "--port (the runner takes the next one)" : "HERMES_WEBUI_RUNNER_BASE_URL";
    const reason = await whyPortIsNotFree(hostname.replace(/^\[|\]$/g, ""), Number(port || 80), option);
    if (reason !== null) return refuse(reason);
  }
  return { free: true };
}

function alreadyRunning(url: string): Obstacle {
  return { free: false, exitCode: 0, message: `Already running on ${url}` };
}

function refuse(message: string): Obstacle {
  return { free: false, exitCode: 1, message };
}
