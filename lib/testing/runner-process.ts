/** The runner as a process of its own, from its real entry: started, signalled, killed and asked by tests. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import packageFile from "../../package.json";
import { runnerBundle } from "./runner-bundle";
import { openWebReader, type WebReader } from "./test-runner";
import { until } from "./until";

const START_MS = 30_000;

export interface RunnerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class RunnerProcess {
  stdout = "";
  stderr = "";
  exit: RunnerExit | null = null;

  private constructor(
    readonly child: ChildProcess,
    readonly folder: string,
  ) {
    child.stdout?.on("data", (piece: Buffer) => (this.stdout += piece.toString("utf8")));
    child.stderr?.on("data", (piece: Buffer) => (this.stderr += piece.toString("utf8")));
    // After `close` all output was read.
    child.on("close", (code, signal) => (this.exit = { code, signal }));
  }

  /** Started, and not waited for. */
  static async spawn(folder: string, env: Readonly<Record<string, string>> = {}): Promise<RunnerProcess> {
    mkdirSync(join(folder, "home"), { recursive: true });
    const child = spawn(process.execPath, [await runnerBundle()], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        NODE_ENV: "production",
        PATH: process.env["PATH"],
        HOME: folder,
        HERMES_HOME: join(folder, "home"),
        HERMES_WEBUI_STATE_DIR: folder,
        HERMES_WORKSPACE: join(folder, "workspace"),
        HERMES_WEBUI_RUNNER_BASE_URL: "http://127.0.0.1:0",
        HERMES_RUNNER_LEASE_S: "2",
        ...env,
      },
    });
    return new RunnerProcess(child, folder);
  }

  /** Started and ready. */
  static async start(folder: string, env: Readonly<Record<string, string>> = {}): Promise<RunnerProcess> {
    const started = await RunnerProcess.spawn(folder, env);
    await until(() => started.exit !== null || started.url !== null, START_MS);
    if (started.url === null) throw new Error(`The runner did not start: ${started.stderr}`);
    return started;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get url(): string | null {
    return /ready on (\S+)/.exec(this.stdout)?.[1] ?? null;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async ended(timeoutMs = 20_000): Promise<RunnerExit> {
    await until(() => this.exit !== null, timeoutMs);
    return this.exit ?? { code: null, signal: null };
  }

  /** Gone, whatever it was doing. */
  async kill(): Promise<void> {
    if (this.exit !== null) return;
    this.child.kill("SIGKILL");
    await this.ended();
  }

  /** The address for the next runner, so that readers find it where this one was. */
  place(): Readonly<Record<string, string>> {
    return { HERMES_WEBUI_RUNNER_BASE_URL: this.url ?? "" };
  }

  async key(): Promise<string> {
    return (await readFile(join(this.folder, "runner.key"), "utf8")).trim();
  }

  async reader(): Promise<WebReader> {
    return openWebReader({ folder: this.folder, url: this.url, key: await this.key(), version: packageFile.version });
  }
}
