import type { Environment } from "#config/settings";
import { runnerThere } from "./left-behind";
import type { StartOptions } from "./start-options";
import { type Installation, planStart, type StartPlanResult } from "./start-plan";

/** What `bin/start.mjs` hands over. */
export interface StartRequest {
  readonly environment: Environment;
  /** The words after `npm start --`. */
  readonly words: readonly string[];
  readonly installation: Installation;
  /** Prints one line to the person. */
  readonly print: (line: string) => void;
  /** Prints one line of what went wrong. */
  readonly complain: (line: string) => void;
}

/** The plan; a runner that is there keeps its address, unless a person named another. */
export function planRequest({ environment, installation }: StartRequest, options: StartOptions): StartPlanResult {
  const first = planStart(environment, options, installation);
  if (!first.ok || first.plan.runner === null || first.plan.settings.runner.baseUrl !== null) return first;
  const there = runnerThere(first.plan.settings.stateDirectory);
  if (there === null) return first;
  return planStart({ ...environment, HERMES_WEBUI_RUNNER_BASE_URL: there.url }, options, installation);
}
