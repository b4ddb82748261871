/**
 * The product as a person runs it, for one trial: the production build under `bin/start.mjs`, in a
 * state directory, home and workspace of its own, on two free ports. Everything that it started can be
 * found again by its state directory in the environment, so that a trial never leaves a process.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProcessName, readPidFile } from "#config/pid-file";
import type { SeededRandom } from "#testing/seeded-random";
import { until } from "#testing/until";
import { freePortPair } from "./free-ports";
import { processesWith } from "./process-traces";

export type AdapterChoice = "runner-local" | "legacy-direct" | "legacy-journal";

export interface StandOptions {
  readonly adapter: AdapterChoice;
  readonly env?: Readonly<Record<string, string>>;
}

/** All modes keep the same promises; most trials are of the one that `npm start` runs. */
export function anyAdapter(random: SeededRandom): Partial<StandOptions> {
  return { adapter: random.pick(["runner-local", "runner-local", "runner-local", "legacy-direct", "legacy-journal"] as const) };
}

const ROOT = join(import.meta.dirname, "..");
const READY_WITHIN_MS = 90_000;
const STOPPED_WITHIN_MS = 60_000;
const GONE_WITHIN_MS = 10_000;
/** Nothing of the person who runs the trials, and no key of theirs, is passed on. */
const PASSED_ON = ["PATH", "TMPDIR", "LANG"];

export class Stand {
  output = "";
  private supervisor: ChildProcess | null = null;
  private readonly afterwards: (() => void)[] = [];

  private constructor(
    readonly folder: string,
    readonly port: number,
    readonly options: StandOptions,
  ) {}

  static async create(options: StandOptions): Promise<Stand> {
    const folder = mkdtempSync(join(tmpdir(), "trial-"));
    for (const name of ["home", "state", "workspace"]) mkdirSync(join(folder, name), { mode: 0o700 });
    return new Stand(folder, await freePortPair(), options);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get stateDirectory(): string {
    return join(this.folder, "state");
  }

  get workspace(): string {
    return join(this.folder, "workspace");
  }

  get databaseFile(): string {
    return join(this.stateDirectory, "hermes.db");
  }

  /** Started and ready. May be called again after everything, or the supervisor alone, has died. */
  async start(withinMs = READY_WITHIN_MS, command = [process.execPath, "bin/start.mjs"]): Promise<void> {
    const from = this.output.length;
    const [program = "", ...words] = [...command, "--port", String(this.port), "--adapter", this.options.adapter, "--no-open"];
    const child = spawn(program, words, { cwd: ROOT, env: this.environment(), stdio: ["ignore", "pipe", "pipe"] });
    this.supervisor = child;
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (piece: Buffer) => (this.output += piece.toString("utf8")));
    await until(() => child.exitCode !== null || child.signalCode !== null || this.output.includes("Ready on", from), withinMs);
    if (!this.output.includes("Ready on", from)) throw new Error(`The product did not start: ${this.output.slice(from)}`);
  }

  pidOf(name: ProcessName): number | null {
    return readPidFile(this.stateDirectory, name)?.pid ?? null;
  }

  /** Sends a signal to the process of that name; answers its pid. Throws when there is none. */
  signal(name: ProcessName, signal: NodeJS.Signals): number {
    const pid = this.pidOf(name);
    if (pid === null) throw new Error(`There is no ${name} to be signalled.`);
    process.kill(pid, signal);
    return pid;
  }

  /** Waits until a process of that name runs that is not the one of this pid. */
  async replaced(name: ProcessName, pid: number): Promise<void> {
    await until(() => (this.pidOf(name) ?? pid) !== pid, READY_WITHIN_MS);
  }

  /** As by Ctrl-C; answers the exit code. Throws when the product does not stop, or leaves a process. */
  async stop(): Promise<number | null> {
    const child = this.supervisor;
    if (child === null) throw new Error("The product does not run.");
    child.kill("SIGTERM");
    await until(() => child.exitCode !== null || child.signalCode !== null, STOPPED_WITHIN_MS);
    this.supervisor = null;
    await until(() => this.leftovers().length === 0, GONE_WITHIN_MS).catch(() => {
      throw new Error(`S2: left after the stop: ${this.leftovers().map(({ pid, words }) => `${pid} ${words}`).join("; ")}`);
    });
    return child.exitCode;
  }

  /** Done once nothing runs any more, however the trial went. */
  afterAll(action: () => void): void {
    this.afterwards.push(action);
  }

  /** Ends whatever is left, however the trial went, and forgets its files unless they are to be kept. */
  async clear(keep: boolean): Promise<void> {
    if (this.supervisor !== null && this.supervisor.exitCode === null) this.supervisor.kill("SIGKILL");
    await until(() => {
      for (const { pid } of this.leftovers()) killIfThere(pid);
      return this.leftovers().length === 0;
    }, GONE_WITHIN_MS);
    for (const action of this.afterwards) action();
    if (!keep) rmSync(this.folder, { recursive: true, force: true });
  }

  private leftovers(): ReturnType<typeof processesWith> {
    return processesWith((environment) => environment.includes(`HERMES_WEBUI_STATE_DIR=${this.stateDirectory}\0`));
  }

  private environment(): NodeJS.ProcessEnv {
    const kept = PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
    return {
      ...Object.fromEntries(kept),
      HOME: join(this.folder, "home"),
      HERMES_HOME: join(this.folder, "home"),
      HERMES_WEBUI_STATE_DIR: this.stateDirectory,
      HERMES_WORKSPACE: this.workspace,
      NEXT_TELEMETRY_DISABLED: "1",
      ...this.options.env,
    };
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
