/**
 * P2 Background processes belong to a session, not to the run that started them: they go on after
 * it, and end with `stop`, `stopSession` or `stopAll`, each with its whole tree. Their output is kept
 * as a rolling log in memory. Whoever made this is told once when one ends by itself.
 */
import type { CreateId } from "#protocol/ids";
import { childEnvironment } from "./child-environment";
import type { ChildMark } from "./child-mark";
import { type OutputName, type OutputPump, pumpOutput } from "./output-pump";
import { createProcessTable, type ProcessTable } from "./process-table";
import { type CommandExit, type ProcessTree, startTree } from "./process-tree";
import { createProcessFinder, stopProcesses } from "./stop-processes";
import { createRollingText, lastCharacters, plainText, type RollingText } from "./text-excerpt";
import type { ProcessMark, StopReport } from "./tool-port";

export interface BackgroundProcess {
  readonly process_id: string;
  readonly session_id: string;
  readonly run_id: string;
  readonly pid: number;
  readonly command: string;
  readonly cwd: string;
  readonly status: "running" | "ended" | "stopped";
  readonly exit_code: number | null;
  readonly signal: string | null;
  /** Unix seconds. */
  readonly started_at: number;
  readonly ended_at: number | null;
}

/** One that ended by itself; `message` tells its end in words, with the last of its output. */
export interface BackgroundEnd extends BackgroundProcess {
  readonly message: string;
}

interface BackgroundLog {
  /** The last 200,000 characters at most, escape sequences included. */
  readonly text: string;
  /** Characters in all. */
  readonly total: number;
}

interface BackgroundRequest {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  readonly mark: ProcessMark;
  /** The owner's environment, of which a child sees a few variables (see child-environment). */
  readonly ambient: Readonly<Record<string, string | undefined>>;
  readonly child_env: Readonly<Record<string, string>>;
}

type StartedBackground = { readonly kind: "started"; readonly process: BackgroundProcess } | { readonly kind: "failed"; readonly message: string };

export interface BackgroundProcesses {
  start(request: BackgroundRequest): Promise<StartedBackground>;
  /** Those of the session, oldest first; ended ones are kept for a while. */
  list(sessionId: string): readonly BackgroundProcess[];
  /** Null: there is none of that id in the session. */
  log(sessionId: string, processId: string): BackgroundLog | null;
  /** Ends it with its tree; null when none of that id runs in the session. */
  stop(sessionId: string, processId: string): Promise<StopReport | null>;
  /** Ends all of the session, with what they left behind, and forgets them. */
  stopSession(sessionId: string): Promise<StopReport>;
  stopAll(): Promise<StopReport>;
}

export interface BackgroundOptions {
  readonly create_id: CreateId;
  /** Unix seconds. */
  readonly now: () => number;
  /** Called once for each process that ended without being stopped. */
  readonly ended: (end: BackgroundEnd) => void;
  readonly table?: ProcessTable;
}

const MAX_PROCESSES = 64;
const LOG_CHARACTERS = 200_000;
const REPORT_CHARACTERS = 4000;

interface Entry {
  view: BackgroundProcess;
  readonly tree: ProcessTree;
  readonly log: RollingText;
  readonly pump: OutputPump;
}

function endOf(exit: CommandExit): Pick<BackgroundProcess, "exit_code" | "signal"> {
  return exit.kind === "code" ? { exit_code: exit.code, signal: null } : { exit_code: null, signal: exit.signal };
}

function reportOf(view: BackgroundProcess, output: string): string {
  const how = view.signal === null ? `with exit code ${view.exit_code ?? 0}` : `by signal ${view.signal}`;
  const last = lastCharacters(plainText(output), REPORT_CHARACTERS).trim();
  return `The background process ${view.process_id} (${view.command}) ended ${how}.${last === "" ? "" : `\nThe last of its output:\n${last}`}`;
}

function sum(reports: readonly StopReport[]): StopReport {
  const add = (key: keyof StopReport) => reports.reduce((total, report) => total + report[key], 0);
  return { processes: add("processes"), survivors: add("survivors") };
}

class ProcessBook implements BackgroundProcesses {
  private readonly entries = new Map<string, Entry>();
  private readonly table: ProcessTable;
  /** Being started: they count already. */
  private starting = 0;

  constructor(private readonly options: BackgroundOptions) {
    this.table = options.table ?? createProcessTable(process.platform);
  }

  async start(request: BackgroundRequest): Promise<StartedBackground> {
    if (!this.makeRoom()) return { kind: "failed", message: `${MAX_PROCESSES} background processes are running already. Stop one first.` };
    const process_id = this.options.create_id("prc");
    const mark: ChildMark = { ...request.mark, tree: process_id, background: true };
    const environment = childEnvironment(request.ambient, request.child_env, mark);
    this.starting += 1;
    const started = await startTree(this.table, { command: request.command, cwd: request.cwd, environment, mark }).finally(() => {
      this.starting -= 1;
    });
    if (started.kind === "failed") return started;
    const { tree } = started;
    const log = createRollingText(LOG_CHARACTERS);
    const receiver = {
      text(_name: OutputName, text: string) {
        log.add(text);
        return false;
      },
      drained: () => Promise.resolve(),
    };
    const pump = pumpOutput(tree, receiver);
    const view: BackgroundProcess = {
      ...request.mark,
      process_id,
      pid: tree.pid,
      command: request.command,
      cwd: request.cwd,
      status: "running",
      exit_code: null,
      signal: null,
      started_at: this.options.now(),
      ended_at: null,
    };
    const entry: Entry = { view, tree, log, pump };
    this.entries.set(process_id, entry);
    void tree.exited.then((exit) => this.conclude(entry, exit));
    return { kind: "started", process: view };
  }

  list(sessionId: string): readonly BackgroundProcess[] {
    return [...this.entries.values()].flatMap(({ view }) => (view.session_id === sessionId ? [view] : []));
  }

  log(sessionId: string, processId: string): BackgroundLog | null {
    const entry = this.entryOf(sessionId, processId);
    return entry === null ? null : { text: entry.log.read(), total: entry.log.total };
  }

  async stop(sessionId: string, processId: string): Promise<StopReport | null> {
    const entry = this.entryOf(sessionId, processId);
    return entry === null || entry.view.status !== "running" ? null : this.stopEntries([entry], () => false);
  }

  async stopSession(sessionId: string): Promise<StopReport> {
    const mine = [...this.entries.values()].filter(({ view }) => view.session_id === sessionId);
    const report = await this.stopEntries(mine, (mark) => mark.session_id === sessionId && mark.background);
    for (const { view } of mine) this.entries.delete(view.process_id);
    return report;
  }

  stopAll(): Promise<StopReport> {
    return this.stopEntries([...this.entries.values()], () => false);
  }

  private entryOf(sessionId: string, processId: string): Entry | null {
    const entry = this.entries.get(processId);
    return entry?.view.session_id === sessionId ? entry : null;
  }

  /** The ended ones give way, oldest first. */
  private makeRoom(): boolean {
    for (const [id, { view }] of this.entries) {
      if (this.entries.size + this.starting < MAX_PROCESSES) break;
      if (view.status !== "running") this.entries.delete(id);
    }
    return this.entries.size + this.starting < MAX_PROCESSES;
  }

  /** All at once: each look at the machine's processes serves all of them. */
  private async stopEntries(entries: readonly Entry[], others: (mark: ChildMark) => boolean): Promise<StopReport> {
    // Marked first: the exit that follows is no end by itself.
    for (const entry of entries) if (entry.view.status === "running") entry.view = { ...entry.view, status: "stopped" };
    const ids = new Set(entries.map(({ view }) => view.process_id));
    const report = this.table.sees_traces
      ? await stopProcesses(createProcessFinder(this.table, { isMarked: (mark) => ids.has(mark.tree) || others(mark), roots: entries.map(({ tree }) => tree.root), since: 0 }))
      : sum(await Promise.all(entries.map(({ tree }) => tree.stop())));
    for (const { pump } of entries) pump.release(report.survivors === 0);
    return report;
  }

  private async conclude(entry: Entry, exit: CommandExit): Promise<void> {
    const stopped = entry.view.status === "stopped";
    await entry.pump.settle();
    entry.view = { ...entry.view, ...endOf(exit), status: stopped ? "stopped" : "ended", ended_at: this.options.now() };
    if (stopped) return;
    entry.pump.release(false);
    this.options.ended({ ...entry.view, message: reportOf(entry.view, entry.log.read()) });
  }
}

export function createBackgroundProcesses(options: BackgroundOptions): BackgroundProcesses {
  return new ProcessBook(options);
}
