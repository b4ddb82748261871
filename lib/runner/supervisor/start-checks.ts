import { readPidFile } from "#config/pid-file";
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
  const { settings } = plan;
  const directory = openStateDirectory(settings.stateDirectory);
  if (!directory.ok) return refuse(directory.message);
  const running = readPidFile(settings.stateDirectory, "supervisor");
  if (running !== null) return alreadyRunning(running.url);
  if (webLeftBehind(settings.stateDirectory) === null) {
    const reason = await whyPortIsNotFree(settings.host, settings.port, "--port");
    if (reason !== null) return refuse(reason);
  }
  if (plan.runner !== null && runnerThere(settings.stateDirectory) === null) {
    const { hostname, port } = new URL(plan.runner.url);
    const option = settings.runner.baseUrl === null ? "--port (the runner takes the next one)" : "HERMES_WEBUI_RUNNER_BASE_URL";
    const reason = await whyPortIsNotFree(hostname.replace(/^\[|\]$/g, ""), Number(port || 80), option);
    if (reason !== null) return refuse(reason);
  }
  return { free: true };
}

export function alreadyRunning(url: string): Obstacle {
  return { free: false, exitCode: 0, message: `Already running on ${url}` };
}

function refuse(message: string): Obstacle {
  return { free: false, exitCode: 1, message };
}
