/** What a host is made of. Everything that touches the world comes in here, so that tests replace only clock and ids. */
import type { ApprovalChoice } from "#protocol/event-values";
import type { CreateId } from "#protocol/ids";
import type { RunRequest } from "#protocol/run-request";
import type { Database } from "#db/database";
import type { Journal } from "#journal/journal";
import type { Engine } from "#engines/engine";
import type { ApprovalState, RunContext, ResolvedModel } from "#agent/run-context";
import type { BackgroundProcesses } from "#agent/tools/background-processes";
import type { Redactor } from "#journal/redact";
import type { RunDefaults } from "./resolve-request";
import type { LiveRun } from "./live-run";
import type { RunHost } from "./run-host";

export interface HostLimits {
  readonly max_concurrent_runs: number;
  readonly max_steps: number;
  /** Seconds; 0 = never. */
  readonly approval_timeout_s: number;
  readonly clarify_timeout_s: number;
  readonly recovery: "prompts" | "off";
}

/** What was allowed beyond one call: for the session (its row) or for the profile (its config.yaml). */
export interface Permissions {
  state(request: RunRequest): Promise<ApprovalState>;
  remember(request: RunRequest, patternKeys: readonly string[], choice: ApprovalChoice): Promise<void>;
}

export interface HostLogger {
  info(facts: Readonly<Record<string, unknown>>, message: string): void;
  warn(facts: Readonly<Record<string, unknown>>, message: string): void;
  error(facts: Readonly<Record<string, unknown>>, message: string): void;
}

export interface HostDependencies {
  /** Where the host is placed; said in diagnostics. */
  readonly placement: "web" | "runner";
  readonly epoch: number;
  readonly state_directory: string;
  readonly database: Database;
  readonly journal: Journal;
  readonly engine: Engine;
  readonly defaults: RunDefaults;
  readonly permissions: Permissions;
  readonly processes: BackgroundProcesses;
  readonly limits: HostLimits;
  readonly create_id: CreateId;
  /** Unix seconds. */
  readonly now: () => number;
  readonly redactor_for: (profile: string) => Redactor;
  readonly create_context: (host: RunHost, run: LiveRun) => Promise<RunContext>;
  /** The model of a run for auxiliary requests (title, judge), or null when it cannot be had. */
  readonly auxiliary_model: (request: RunRequest) => Promise<ResolvedModel | null>;
  readonly logger: HostLogger;
}
