/**
 * The built product as processes of its own, on a home and a port of its own.
 *
 * - `runner-local`: what `npm start` starts, supervisor, runner and web process.
 * - `web-alone`: `next start`, whose web process owns the runs unless `env` says otherwise; it is started
 *   again by the test.
 *
 * Nothing of the environment of the person who tests reaches it. Its practice model is the default;
 * with `models` there is a provider `scripted` too, for turns that are played to the byte.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { z } from "zod";
import { until } from "#testing/until";
import { Api } from "./api";
import { findFreePort } from "./free-port";

export interface ProductPlan {
  readonly mode: "runner-local" | "web-alone";
  readonly env?: Readonly<Record<string, string>>;
  /** Keys of the default profile's `config.yaml` beside the ones that are made here. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Base URL of a model server, and the models that it is said to have. */
  readonly models?: { readonly url: string; readonly names: readonly string[] };
  /** Where the built tree is. */
  readonly root?: string;
  /** What its health says once it is up; a web process without its runner never says `ok`. */
  readonly health?: "ok" | "degraded";
  /** How long the first start may take; a tree that has to be built takes longer. */
  readonly readyWithinMs?: number;
}

export type ProcessName = "supervisor" | "web" | "runner";

const READY_MS = 60_000;
const STOP_MS = 20_000;
const BACK_MS = 30_000;
const KEPT_OUTPUT = 20_000;
const pidFileSchema = z.object({ pid: z.number() });

export class Product {
  readonly folder = mkdtempSync(join(tmpdir(), "hermes-e2e-"));
  readonly home = join(this.folder, "hermes");
  readonly stateDirectory = join(this.home, "workbench");
  readonly workspace = join(this.home, "workspace");
  output = "";
  #child: ChildProcess | null = null;
  #exited = false;

  #plan: ProductPlan;

  private constructor(
    plan: ProductPlan,
    readonly port: number,
  ) {
    this.#plan = plan;
    for (const folder of [this.home, this.workspace, join(this.folder, "user")]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(this.home, "config.yaml"), stringify(configOf(plan)));
  }

  static async start(plan: ProductPlan): Promise<Product> {
    const product = new Product(plan, await findFreePort());
    try {
      await product.launch();
    } catch (error) {
      await product.stop();
      throw error;
    }
    return product;
  }

  /** Without a slash at its end, with the path prefix. */
  get origin(): string {
    return `http://127.0.0.1:${this.port}${this.#plan.env?.["HERMES_WEBUI_BASE_PATH"] ?? ""}`;
  }

  get api(): Api {
    return new Api(this.origin);
  }

  /** Starts what is not running and waits until a chat can be started. */
  async launch(): Promise<void> {
    const root = this.#plan.root ?? process.cwd();
    const words =
      this.#plan.mode === "runner-local"
        ? ["bin/start.mjs", "--port", String(this.port)]
        : ["node_modules/next/dist/bin/next", "start", "--port", String(this.port), "--hostname", "127.0.0.1"];
    const child = spawn(process.execPath, words, { cwd: root, env: this.#environment(), stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    this.#exited = false;
    const hear = (piece: Buffer): void => void (this.output = (this.output + piece.toString("utf8")).slice(-KEPT_OUTPUT));
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("exit", () => (this.#exited = true));
    await until(async () => {
      if (this.#exited) throw new Error(`It did not start: ${this.output}`);
      return this.#plan.mode === "runner-local" && !this.output.includes("Ready on ") ? false : this.isReady();
    }, this.#plan.readyWithinMs ?? READY_MS);
  }

  async isReady(): Promise<boolean> {
    try {
      const response = await fetch(`${this.origin}/api/health`, { signal: AbortSignal.timeout(2_000) });
      return z.object({ status: z.string() }).parse(await response.json()).status === (this.#plan.health ?? "ok");
    } catch {
      // Not there yet: the caller asks again, for so long as it allows.
      return false;
    }
  }

  /** Null when there is no such process. */
  pidOf(name: ProcessName): number | null {
    if (this.#plan.mode === "web-alone" && name !== "runner") return this.#exited ? null : (this.#child?.pid ?? null);
    try {
      return pidFileSchema.parse(JSON.parse(readFileSync(join(this.stateDirectory, `${name}.json`), "utf8"))).pid;
    } catch {
      // No such file, or one that is being written.
      return null;
    }
  }

  /** Kills without any warning; answers the pid that it had. */
  kill(name: ProcessName): number {
    const pid = this.pidOf(name);
    if (pid === null) throw new Error(`There is no ${name} to kill.`);
    process.kill(pid, "SIGKILL");
    return pid;
  }

  /** Another process has taken the place of the one that had this pid, and all is well again. */
  async comesBack(name: ProcessName, pid: number): Promise<void> {
    await until(async () => {
      const now = this.pidOf(name);
      return now !== null && now !== pid && (await this.isReady());
    }, BACK_MS);
  }

  /** The same home under another plan: what `npm start -- --adapter …` is to a person. */
  async become(plan: ProductPlan): Promise<void> {
    await this.#end();
    this.#plan = plan;
    this.output = "";
    await this.launch();
  }

  /** Ends the runs, then the processes as a person would; whatever does not go is killed and told. */
  async stop(): Promise<void> {
    if (!this.#exited) await this.#cancelRuns();
    await this.#end();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (child !== null && !this.#exited) {
      child.kill("SIGTERM");
      await until(() => this.#exited, STOP_MS).catch((error: unknown) => {
        for (const name of ["supervisor", "web", "runner"] as const) killIfThere(this.pidOf(name));
        child.kill("SIGKILL");
        throw error;
      });
    }
  }

  /** A run that goes on would hold the runner's drain. */
  async #cancelRuns(): Promise<void> {
    try {
      await this.api.cancelAll();
    } catch {
      // It may be down already, or ask for a password; then the drain has its own bound.
      return;
    }
  }

  #environment(): NodeJS.ProcessEnv {
    const kept = ["PATH", "TMPDIR", "LANG", "SystemRoot"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    const user = join(this.folder, "user");
    return {
      ...Object.fromEntries(kept),
      HOME: user,
      XDG_CACHE_HOME: join(user, ".cache"),
      XDG_CONFIG_HOME: join(user, ".config"),
      NEXT_TELEMETRY_DISABLED: "1",
      NODE_ENV: "production",
      HERMES_HOME: this.home,
      ...this.#plan.env,
    };
  }
}

function configOf(plan: ProductPlan): Readonly<Record<string, unknown>> {
  const { models } = plan;
  const scripted = models === undefined ? {} : { providers: { scripted: { base_url: models.url, models: models.names } } };
  return { model: { provider: "demo", default: "demo" }, ...scripted, ...plan.config };
}

function killIfThere(pid: number | null): void {
  if (pid === null) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It had gone meanwhile, which is what was wanted.
    return;
  }
}
