/**
 * One child, kept running: start it (or take over the one that is there), wait until it answers, wait
 * until it ends, start it again after the backoff, until the stop is asked. A child that never became
 * ready is given up after a few tries, so that a start which cannot succeed ends.
 */
import type { ChildName } from "#config/supervisor-status";
import { type BackoffPlan, nextRestart } from "./backoff";
import type { ChildFact } from "./child-report";
import { type Program, startProcess, stopProcess, type WatchedProcess } from "./child-process";
import { classifyCrash, type Crash } from "./crash";
import { probeHealth } from "./health-probe";
import type { OutputFile } from "./output-file";
import { aborted, poll, wait } from "./wait";

export interface ChildPlan {
  readonly name: ChildName;
  readonly program: Program;
  /** Its address, for people and other processes. */
  readonly url: string;
  readonly healthUrl: string;
  /** From TERM to KILL. */
  readonly stopGraceMs: number;
  readonly startTimeoutMs: number;
  readonly backoff: BackoffPlan;
}

export interface StopSignals {
  /** TERM, then time to drain. */
  readonly stop: AbortSignal;
  /** KILL now. */
  readonly force: AbortSignal;
}

/** How keeping a child ended: as asked, or because it cannot be started at all. */
export type ChildOutcome = { readonly stopped: true } | { readonly stopped: false; readonly crash: Crash };

/** What one process's life came to. */
type Life =
  | { readonly end: "stopped" }
  | { readonly end: "restarted" }
  | { readonly end: "crashed"; readonly crash: Crash; readonly uptimeMs: number };

type Beginning = { readonly readiness: "ready"; readonly at: number } | { readonly readiness: "over" | "too_late" };

const TRIES_WITHOUT_SUCCESS = 3;
const PROBE_EVERY_MS = 40;
const PROBE_TIMEOUT_MS = 2000;
const GRACE_OF_FAILED_START_MS = 1000;

export class Child {
  private restartRequest = new AbortController();

  constructor(
    private readonly plan: ChildPlan,
    private readonly output: OutputFile,
    private readonly onFact: (fact: ChildFact) => void,
  ) {}

  /** Stops the process and starts it again at once; without effect while it does not run. */
  restart(): void {
    this.restartRequest.abort();
  }

  /**
   * Keeps it running until the stop is asked; never rejects for what the child does.
   * @param alreadyThere a process to begin with, instead of a new one
   */
  async keep(signals: StopSignals, alreadyThere: WatchedProcess | null): Promise<ChildOutcome> {
    let failures = 0;
    let wasEverReady = false;
    let next = alreadyThere;
    while (!signals.stop.aborted) {
      const life = await this.live(next ?? this.start(), signals);
      next = null;
      if (life.end === "stopped") break;
      if (life.end === "restarted") continue;
      wasEverReady ||= life.uptimeMs > 0;
      const restart = nextRestart(failures, life.uptimeMs, this.plan.backoff);
      failures = restart.failures;
      this.onFact({ type: "crashed", crash: life.crash });
      const isHopeless = life.crash.kind === "port_taken" || failures >= TRIES_WITHOUT_SUCCESS;
      if (!wasEverReady && isHopeless) return { stopped: false, crash: life.crash };
      await wait(restart.delayMs, signals.stop);
    }
    this.onFact({ type: "ended" });
    return { stopped: true };
  }

  private start(): WatchedProcess {
    this.output.startFresh();
    return startProcess(this.plan.program, this.output.descriptor);
  }

  private async live(current: WatchedProcess, signals: StopSignals): Promise<Life> {
    this.restartRequest = new AbortController();
    this.onFact({ type: "started", pid: current.pid, adopted: current.adopted });
    const turnOver = AbortSignal.any([signals.stop, this.restartRequest.signal]);
    const begin = await this.untilReady(current, turnOver);
    const startTimedOut = begin.readiness === "too_late";
    if (startTimedOut) await stopProcess(current, GRACE_OF_FAILED_START_MS, signals.force);
    const exit = startTimedOut ? await current.exited : await Promise.race([current.exited, aborted(turnOver)]);
    if (exit === undefined) return this.stop(current, signals);
    const uptimeMs = begin.readiness === "ready" ? Math.max(1, performance.now() - begin.at) : 0;
    const end = { ...exit, wasReady: uptimeMs > 0, startTimedOut, output: this.output.readTail() };
    return { end: "crashed", uptimeMs, crash: classifyCrash(this.plan.name, end) };
  }

  private async stop(current: WatchedProcess, signals: StopSignals): Promise<Life> {
    this.onFact({ type: "stop_asked" });
    await stopProcess(current, this.plan.stopGraceMs, signals.force);
    this.onFact({ type: "ended" });
    return { end: signals.stop.aborted ? "stopped" : "restarted" };
  }

  private async untilReady(current: WatchedProcess, turnOver: AbortSignal): Promise<Beginning> {
    const ended = new AbortController();
    const signal = AbortSignal.any([turnOver, ended.signal]);
    const end = current.exited.then(() => {
      ended.abort();
      return null;
    });
    const firstAnswer = async (): Promise<number | null> => {
      const probe = await probeHealth(this.plan.healthUrl, PROBE_TIMEOUT_MS);
      return probe.answered ? performance.now() : null;
    };
    const limits = { everyMs: PROBE_EVERY_MS, timeoutMs: this.plan.startTimeoutMs, signal };
    const at = await Promise.race([poll(firstAnswer, limits), end]);
    if (signal.aborted) return { readiness: "over" };
    if (at === null) return { readiness: "too_late" };
    this.onFact({ type: "answered" });
    return { readiness: "ready", at };
  }
}
