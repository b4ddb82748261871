/**
 * The one reader of `process.env`: every variable the product knows, in one schema. Reading changes
 * nothing. A blank value counts as not set, a wrong one is answered with the variable's name and what
 * is allowed (never with the value, which may be a secret), so that the start can end in one line.
 */
import { userInfo } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { isLoopbackHost } from "./loopback";
import {
  addressRanges,
  databaseAt,
  type DatabaseLocation,
  databaseUrl,
  directoryPath,
  hostNames,
  hostToBind,
  httpUrl,
  localServerUrl,
  oneOf,
  type ParseSetting,
  pathPrefix,
  plainName,
  plainText,
  seconds,
  wholeNumber,
} from "./setting-parsers";

export type Environment = Readonly<Record<string, string | undefined>>;

export const ADAPTER_MODES = ["legacy-direct", "legacy-journal", "runner-local"] as const;
export type AdapterMode = (typeof ADAPTER_MODES)[number];
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
const APPROVAL_MODES = ["manual", "off"] as const;
const RUN_RECOVERIES = ["prompts", "off"] as const;

export interface Settings {
  /** Absolute; the default profile's home. */
  readonly hermesHome: string;
  /** Absolute. */
  readonly stateDirectory: string;
  readonly database: DatabaseLocation;
  /** `""` or `/prefix`. */
  readonly basePath: string;
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly password: string | null;
  /** Addresses and CIDR ranges. */
  readonly trustedProxies: readonly string[];
  readonly adapter: AdapterMode;
  /** False when the adapter is the default because nobody named one. */
  readonly adapterIsNamed: boolean;
  readonly runner: { readonly baseUrl: string | null; readonly apiKey: string | null; readonly leaseSeconds: number };
  /** Absolute. */
  readonly workspace: string;
  readonly model: {
    readonly provider: string | null;
    readonly model: string | null;
    readonly baseUrl: string | null;
    readonly apiKey: string | null;
  };
  readonly providers: {
    readonly openaiApiKey: string | null;
    readonly anthropicApiKey: string | null;
    readonly googleApiKey: string | null;
    readonly openrouterApiKey: string | null;
    readonly ollamaUrl: string | null;
    readonly lmstudioUrl: string | null;
  };
  readonly approvalMode: (typeof APPROVAL_MODES)[number];
  /** 0 = never. */
  readonly approvalTimeoutSeconds: number;
  /** 0 = never. */
  readonly clarifyTimeoutSeconds: number;
  readonly runRecovery: (typeof RUN_RECOVERIES)[number];
  readonly maxConcurrentRuns: number;
  readonly maxSteps: number;
  readonly logLevel: LogLevel;
}

export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly variable: string; readonly message: string };

/** Timers take at most 2^31 ms, so a longer wait would end at once. */
const LONGEST_WAIT_S = 2_000_000;
const SECRET = setting("one line of text", plainText(4096));
const WAIT = setting(`a number of seconds from 0 (never) to ${LONGEST_WAIT_S}`, seconds(0, LONGEST_WAIT_S));
const HTTP_URL = setting("an http or https URL without user name, password, query or fragment", httpUrl);

function environmentSchema(home: string) {
  const directory = setting("the path of a directory", directoryPath(home));
  return z.object({
    HERMES_HOME: directory,
    HERMES_WEBUI_STATE_DIR: directory,
    HERMES_WEBUI_DATABASE_URL: setting("a file: URL such as file:/var/lib/hermes/hermes.db", databaseUrl),
    HERMES_WEBUI_BASE_PATH: setting("a path such as /desk, of letters, digits, dots, dashes, underscores and tildes", pathPrefix),
    HERMES_WEBUI_HOST: setting("an IP address or a host name", hostToBind),
    HERMES_WEBUI_PORT: setting("a whole number from 1 to 65535", wholeNumber(1, 65_535)),
    HERMES_WEBUI_ALLOWED_HOSTS: setting("host names, parted by commas", hostNames),
    HERMES_WEBUI_PASSWORD: z.string().max(4096, "a text of at most 4096 characters").optional(),
    HERMES_WEBUI_TRUSTED_PROXY: setting("IP addresses or CIDR ranges, parted by commas", addressRanges),
    HERMES_WEBUI_RUNTIME_ADAPTER: setting(`one of ${ADAPTER_MODES.join(", ")}`, oneOf(ADAPTER_MODES)),
    HERMES_WEBUI_RUNNER_BASE_URL: HTTP_URL,
    HERMES_WEBUI_RUNNER_API_KEY: SECRET,
    HERMES_RUNNER_LEASE_S: setting("a number of seconds from 1 to 3600", seconds(1, 3600)),
    HERMES_WORKSPACE: directory,
    HERMES_MODEL: setting("the name of a model", plainText(200)),
    HERMES_MODEL_PROVIDER: setting("the name of a provider, such as openai-compatible", plainName),
    HERMES_MODEL_BASE_URL: HTTP_URL,
    HERMES_MODEL_API_KEY: SECRET,
    OPENAI_API_KEY: SECRET,
    ANTHROPIC_API_KEY: SECRET,
    GOOGLE_GENERATIVE_AI_API_KEY: SECRET,
    OPENROUTER_API_KEY: SECRET,
    OLLAMA_HOST: setting("an address such as http://127.0.0.1:11434", localServerUrl(11_434)),
    LMSTUDIO_HOST: setting("an address such as http://127.0.0.1:1234", localServerUrl(1234)),
    HERMES_APPROVAL_MODE: setting(`one of ${APPROVAL_MODES.join(", ")}`, oneOf(APPROVAL_MODES)),
    HERMES_APPROVAL_TIMEOUT_S: WAIT,
    HERMES_CLARIFY_TIMEOUT_S: WAIT,
    HERMES_RUN_RECOVERY: setting(`one of ${RUN_RECOVERIES.join(", ")}`, oneOf(RUN_RECOVERIES)),
    HERMES_MAX_CONCURRENT_RUNS: setting("a whole number from 1 to 1000", wholeNumber(1, 1000)),
    HERMES_MAX_STEPS: setting("a whole number from 1 to 10000", wholeNumber(1, 10_000)),
    HERMES_LOG_LEVEL: setting(`one of ${LOG_LEVELS.join(", ")}`, oneOf(LOG_LEVELS)),
  });
}
type Values = z.infer<ReturnType<typeof environmentSchema>>;

/** Reads the settings from any environment; pure but for relative paths, which are taken from the working directory. */
export function readSettings(environment: Environment): SettingsResult {
  const home = homeOf(environment);
  const schema = environmentSchema(home);
  const parsed = schema.safeParse(withoutBlanks(environment));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return refuse(String(issue?.path[0] ?? "environment"), `must be ${issue?.message ?? "valid"}`);
  }
  const settings = settingsFrom(parsed.data, home);
  if (settings.password === null && !isLoopbackHost(settings.host)) {
    return refuse("HERMES_WEBUI_HOST", "must be a loopback address such as 127.0.0.1, unless HERMES_WEBUI_PASSWORD is set");
  }
  return { ok: true, settings };
}

/** The settings of this process. */
export function loadSettings(): SettingsResult {
  return readSettings(process.env);
}

function settingsFrom(values: Values, home: string): Settings {
  const hermesHome = values.HERMES_HOME ?? join(home, ".hermes");
  const stateDirectory = values.HERMES_WEBUI_STATE_DIR ?? join(hermesHome, "workbench");
  return {
    hermesHome,
    stateDirectory,
    database: values.HERMES_WEBUI_DATABASE_URL ?? databaseAt(join(stateDirectory, "hermes.db")),
    basePath: values.HERMES_WEBUI_BASE_PATH ?? "",
    host: values.HERMES_WEBUI_HOST ?? "127.0.0.1",
    port: values.HERMES_WEBUI_PORT ?? 8787,
    allowedHosts: values.HERMES_WEBUI_ALLOWED_HOSTS ?? [],
    password: values.HERMES_WEBUI_PASSWORD ?? null,
    trustedProxies: values.HERMES_WEBUI_TRUSTED_PROXY ?? [],
    adapter: values.HERMES_WEBUI_RUNTIME_ADAPTER ?? "legacy-direct",
    adapterIsNamed: values.HERMES_WEBUI_RUNTIME_ADAPTER !== undefined,
    runner: {
      baseUrl: values.HERMES_WEBUI_RUNNER_BASE_URL ?? null,
      apiKey: values.HERMES_WEBUI_RUNNER_API_KEY ?? null,
      leaseSeconds: values.HERMES_RUNNER_LEASE_S ?? 10,
    },
    workspace: values.HERMES_WORKSPACE ?? join(hermesHome, "workspace"),
    ...modelSettingsFrom(values),
    approvalMode: values.HERMES_APPROVAL_MODE ?? "manual",
    approvalTimeoutSeconds: values.HERMES_APPROVAL_TIMEOUT_S ?? 300,
    clarifyTimeoutSeconds: values.HERMES_CLARIFY_TIMEOUT_S ?? 3600,
    runRecovery: values.HERMES_RUN_RECOVERY ?? "prompts",
    maxConcurrentRuns: values.HERMES_MAX_CONCURRENT_RUNS ?? 8,
    maxSteps: values.HERMES_MAX_STEPS ?? 90,
    logLevel: values.HERMES_LOG_LEVEL ?? "info",
  };
}

function modelSettingsFrom(values: Values): Pick<Settings, "model" | "providers"> {
  return {
    model: {
      provider: values.HERMES_MODEL_PROVIDER ?? null,
      model: values.HERMES_MODEL ?? null,
      baseUrl: values.HERMES_MODEL_BASE_URL ?? null,
      apiKey: values.HERMES_MODEL_API_KEY ?? null,
    },
    providers: {
      openaiApiKey: values.OPENAI_API_KEY ?? null,
      anthropicApiKey: values.ANTHROPIC_API_KEY ?? null,
      googleApiKey: values.GOOGLE_GENERATIVE_AI_API_KEY ?? null,
      openrouterApiKey: values.OPENROUTER_API_KEY ?? null,
      ollamaUrl: values.OLLAMA_HOST ?? null,
      lmstudioUrl: values.LMSTUDIO_HOST ?? null,
    },
  };
}

function setting<Value>(allowed: string, parse: ParseSetting<Value>) {
  return z
    .string()
    .transform((text, context) => {
      const value = parse(text.trim());
      if (value !== null) return value;
      context.addIssue({ code: "custom", message: allowed });
      return z.NEVER;
    })
    .optional();
}

/** Blank means not set, save for the password, which may consist of blanks but not of nothing. */
function withoutBlanks(environment: Environment): Record<string, string> {
  const entries = Object.entries(environment).filter((entry): entry is [string, string] => {
    const [name, text] = entry;
    return text !== undefined && (name === "HERMES_WEBUI_PASSWORD" ? text : text.trim()) !== "";
  });
  return Object.fromEntries(entries);
}

/**
 * In a container HOME may be missing or empty; then the user's entry in the password file counts, and
 * a user id without such an entry (for which the system call fails) has the root directory.
 */
function homeOf(environment: Environment): string {
  const named = environment["HOME"] ?? "";
  if (named !== "") return named;
  try {
    return userInfo().homedir || "/";
  } catch {
    return "/";
  }
}

function refuse(variable: string, reason: string): SettingsResult {
  return { ok: false, variable, message: `${variable} ${reason}.` };
}
