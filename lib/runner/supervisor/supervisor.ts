/**
 * Runs web process and runner side by side until it is told to stop. It holds no state of any run:
 * killed, it leaves both running, and the next one takes over. What it knows about its children it
 * writes down after every change. Stop: TERM to both at once (the web process closes its streams, the
 * runner drains), KILL of what is left; a second signal does not wait.
 */
import { join } from "node:path";
import type { Logger } from "pino";
import { removePidFile, writePidFile } from "#config/pid-file";
import { logDirectory } from "#config/state-directory";
import { type ChildName, type ChildReport, removeSupervisorStatus, writeSupervisorStatus } from "#config/supervisor-status";
import { Child, type ChildPlan, type StopSignals } from "./child";
import { applyChildFact, CHILD_NOT_STARTED, type ChildFact } from "./child-report";
import type { WatchedProcess } from "./child-process";
import type { Crash } from "./crash";
import { openOutputFile, type OutputFile } from "./output-file";
import type { StartPlan } from "./start-plan";

export interface SupervisorParts {
  readonly plan: StartPlan;
  readonly logger: Logger;
  /** A runner that was there and was taken over. */
  readonly adoptedRunner: WatchedProcess | null;
  /** Gets a log line that a child wrote. */
  readonly passOn: (line: string) => void;
}

export type SupervisorOutcome =
  | { readonly stopped: true }
  | { readonly stopped: false; readonly crash: Crash; readonly lastOutput: string; readonly outputPath: string };

interface Kept {
  readonly name: ChildName;
  readonly child: Child;
  readonly output: OutputFile;
  readonly outputPath: string;
  readonly alreadyThere: WatchedProcess | null;
}

export class Supervisor {
  private readonly reports: Record<ChildName, ChildReport | null>;
  private readonly kept: readonly Kept[];

  constructor(private readonly parts: SupervisorParts) {
    const { web, runner } = parts.plan;
    this.reports = { web: CHILD_NOT_STARTED, runner: runner === null ? null : CHILD_NOT_STARTED };
    const kept = [this.prepare(web, null)];
    if (runner !== null) kept.push(this.prepare(runner, parts.adoptedRunner));
    this.kept = kept;
  }

  /** Whether every child answers. */
  isReady(): boolean {
    return Object.values(this.reports).every((report) => report === null || report.state === "ready");
  }

  restartWeb(): void {
    this.kept.find(({ name }) => name === "web")?.child.restart();
  }

  /** Resolves when everything that was started has ended. */
  async run(signals: StopSignals): Promise<SupervisorOutcome> {
    const giveUp = new AbortController();
    const stop = AbortSignal.any([signals.stop, giveUp.signal]);
    const keep = async ({ child, output, outputPath, alreadyThere }: Kept): Promise<SupervisorOutcome> => {
      const outcome = await child.keep({ stop, force: signals.force }, alreadyThere);
      const lastOutput = output.readTail();
      output.close();
      if (outcome.stopped) return outcome;
      giveUp.abort();
      return { stopped: false, crash: outcome.crash, lastOutput, outputPath };
    };
    const outcomes = await Promise.all(this.kept.map(keep));
    removeSupervisorStatus(this.parts.plan.settings.stateDirectory);
    return outcomes.find((outcome) => !outcome.stopped) ?? { stopped: true };
  }

  private prepare(plan: ChildPlan, alreadyThere: WatchedProcess | null): Kept {
    const outputPath = join(logDirectory(this.parts.plan.settings.stateDirectory), `${plan.name}.out`);
    const output = openOutputFile(outputPath, this.parts.passOn);
    const child = new Child(plan, output, (fact) => this.note(plan, fact));
    return { name: plan.name, child, output, outputPath, alreadyThere };
  }

  private note(plan: ChildPlan, fact: ChildFact): void {
    const { name } = plan;
    const before = this.reports[name] ?? CHILD_NOT_STARTED;
    const report = applyChildFact(before, fact, Date.now() / 1000);
    if (report === before) return;
    this.reports[name] = report;
    if (fact.type === "crashed") this.parts.logger.error({ child: name, crash: fact.crash.kind }, fact.crash.message);
    else this.parts.logger.info({ child: name, child_pid: report.pid ?? before.pid }, `${name} ${report.state}`);
    try {
      this.writeDown(plan, before, report);
    } catch (error) {
      // A full disk must not end what runs; the next change writes again.
      this.parts.logger.error({ cause: String(error) }, "The state of the processes could not be written down.");
    }
  }

  /** The runner claims its pid file itself (there may be only one); the web process's is kept here. */
  private writeDown(plan: ChildPlan, before: ChildReport, report: ChildReport): void {
    const { stateDirectory } = this.parts.plan.settings;
    if (plan.name === "web") {
      if (report.state === "starting" && report.pid !== null) writePidFile(stateDirectory, "web", plan.url, report.pid);
      if (report.pid === null && before.pid !== null) removePidFile(stateDirectory, "web", before.pid);
    }
    const { web, runner } = this.reports;
    writeSupervisorStatus(stateDirectory, { supervisor_pid: process.pid, web, runner });
  }
}
