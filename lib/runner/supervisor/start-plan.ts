/**
 * From options and environment to what is to run: which processes, with which environment, at which
 * addresses. Options beat variables; the variable of the adapter beats the default, which is the
 * runner wherever it was built. The children get every path absolute, so that they mean the same.
 */
import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { isLoopbackHost } from "#config/loopback";
import { type AdapterMode, type Environment, readSettings, type Settings } from "#config/settings";
import { systemErrorCode } from "#config/system-error";
import { RESTART_BACKOFF } from "./backoff";
import type { ChildPlan } from "./child";
import type { StartOptions } from "./start-options";

export interface Installation {
  /** Root of the repository. */
  readonly root: string;
  readonly runnerIsBuilt: boolean;
  /** Of this product. */
  readonly version: string;
}

export interface StartPlan {
  readonly settings: Settings;
  readonly adapter: AdapterMode;
  /** What a person opens. */
  readonly url: string;
  readonly web: ChildPlan;
  /** Null when this start runs none of its own. */
  readonly runner: ChildPlan | null;
}

export type StartPlanResult = { readonly ok: true; readonly plan: StartPlan } | { readonly ok: false; readonly message: string };

const builtFilesSchema = z.object({ config: z.record(z.string(), z.unknown()) });

const WEB_STOP_GRACE_MS = 4500;
/** The runner takes up to 30 s for runs that still go, then closes them. */
const RUNNER_STOP_GRACE_MS = 40_000;
const START_TIMEOUT_MS = 60_000;
/** Memory before speed, where it costs no speed that is noticed: a long answer nobody watches, processes that idle. */
const WEB_FLAGS = ["--max-semi-space-size=2"];
const RUNNER_FLAGS = ["--optimize-for-size"];
const ALLOCATOR = { MALLOC_ARENA_MAX: "2" };
const OPTION_OF_VARIABLE: Readonly<Record<string, "port" | "host" | "adapter">> = {
  HERMES_WEBUI_PORT: "port",
  HERMES_WEBUI_HOST: "host",
  HERMES_WEBUI_RUNTIME_ADAPTER: "adapter",
};

export function planStart(environment: Environment, options: StartOptions, installation: Installation): StartPlanResult {
  const wanted = withOptions(environment, options);
  const read = readSettings(wanted);
  if (!read.ok) return { ok: false, message: inWordsOfOptions(read.message, read.variable, options) };
  const { settings } = read;
  const adapter = settings.adapterIsNamed ? settings.adapter : defaultAdapter(installation);
  const runnerUrl = settings.runner.baseUrl ?? (adapter === "runner-local" ? localRunnerUrl(settings) : null);
  if (adapter === "runner-local" && runnerUrl === null) {
    return { ok: false, message: "HERMES_WEBUI_PORT must be at most 65534, or HERMES_WEBUI_RUNNER_BASE_URL set: the runner takes the next port." };
  }
  const shared = childEnvironment(wanted, settings, adapter, runnerUrl);
  const ownRunner = adapter === "runner-local" && runnerUrl !== null && isThisMachine(new URL(runnerUrl).hostname);
  if (ownRunner && !runnerUrl.startsWith("http://")) {
    return { ok: false, message: "HERMES_WEBUI_RUNNER_BASE_URL must begin with http:// for a runner on this machine." };
  }
  if (ownRunner && !installation.runnerIsBuilt) return { ok: false, message: "There is no runner in this build; use --adapter legacy-direct." };
  return {
    ok: true,
    plan: {
      settings,
      adapter,
      url: `${originOf(settings)}${settings.basePath}`,
      web: webPlan(settings, installation, shared),
      runner: ownRunner && runnerUrl !== null ? runnerPlan(runnerUrl, installation, shared) : null,
    },
  };
}

function withOptions(environment: Environment, options: StartOptions): Environment {
  const wanted = { ...environment };
  for (const [variable, option] of Object.entries(OPTION_OF_VARIABLE)) {
    const value = options[option];
    if (value !== null) wanted[variable] = value;
  }
  return wanted;
}

function inWordsOfOptions(message: string, variable: string, options: StartOptions): string {
  const option = OPTION_OF_VARIABLE[variable];
  return option !== undefined && options[option] !== null ? message.replace(variable, `--${option}`) : message;
}

function defaultAdapter(installation: Installation): AdapterMode {
  return installation.runnerIsBuilt ? "runner-local" : "legacy-direct";
}

function localRunnerUrl(settings: Settings): string | null {
  return settings.port < 65_535 ? `http://127.0.0.1:${settings.port + 1}` : null;
}

function childEnvironment(wanted: Environment, settings: Settings, adapter: AdapterMode, runnerUrl: string | null): Environment {
  return {
    ...ALLOCATOR,
    ...wanted,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    HERMES_HOME: settings.hermesHome,
    HERMES_WEBUI_STATE_DIR: settings.stateDirectory,
    HERMES_WEBUI_DATABASE_URL: settings.database.url,
    HERMES_WORKSPACE: settings.workspace,
    HERMES_WEBUI_HOST: settings.host,
    HERMES_WEBUI_PORT: String(settings.port),
    HERMES_WEBUI_RUNTIME_ADAPTER: adapter,
    ...(runnerUrl === null ? {} : { HERMES_WEBUI_RUNNER_BASE_URL: runnerUrl }),
  };
}

function webPlan(settings: Settings, { root }: Installation, environment: Environment): ChildPlan {
  const next = join(root, "node_modules/next/dist/bin/next");
  const command = [...WEB_FLAGS, next, "start", "-p", String(settings.port), "-H", settings.host];
  return {
    name: "web",
    program: { command, directory: root, environment: { ...environment, ...builtConfig(root) } },
    url: `${originOf(settings)}${settings.basePath}`,
    healthUrl: `${originOf(settings)}${settings.basePath}/api/health`,
    stopGraceMs: WEB_STOP_GRACE_MS,
    startTimeoutMs: START_TIMEOUT_MS,
    backoff: RESTART_BACKOFF,
  };
}

/**
 * The configuration as the build left it, in the way in which Next's own standalone server is told.
 * Without it each start loads a compiler of 22 MB to read `next.config.ts` again; where it is not
 * understood, or not there, Next does just that.
 */
function builtConfig(root: string): Environment {
  try {
    const built = builtFilesSchema.parse(JSON.parse(readFileSync(join(root, ".next/required-server-files.json"), "utf8")));
    return { __NEXT_PRIVATE_STANDALONE_CONFIG: JSON.stringify(built.config) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError || systemErrorCode(error) === "ENOENT") return {};
    throw error;
  }
}

function runnerPlan(url: string, { root }: Installation, environment: Environment): ChildPlan {
  return {
    name: "runner",
    program: { command: [...RUNNER_FLAGS, join(root, "dist/runner.mjs")], directory: root, environment },
    url,
    healthUrl: `${url}/health`,
    stopGraceMs: RUNNER_STOP_GRACE_MS,
    startTimeoutMs: START_TIMEOUT_MS,
    backoff: RESTART_BACKOFF,
  };
}

/** Where this machine reaches what listens there: "every interface" is reached by loopback. */
function originOf({ host, port }: Pick<Settings, "host" | "port">): string {
  if (host === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (host === "::") return `http://[::1]:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function isThisMachine(hostname: string): boolean {
  if (isLoopbackHost(hostname)) return true;
  const bare = hostname.replace(/^\[|\]$/g, "");
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === bare));
}
