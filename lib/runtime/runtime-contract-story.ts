/** What the contract's stories are told with: one backend, seen only as a caller sees it. */
import { expect } from "vitest";
import type { Database } from "#db/database";
import type { Journal } from "#journal/journal";
import { isKnownEvent, parseEvent, type RunEvent } from "#protocol/events";
import type { Outcome, RunStartResult, StartRunRequest } from "#protocol/control";
import type { RunState, RunView } from "#protocol/run-view";
import { listRuns } from "#sessions/run-list";
import type { Runtime, RuntimeAdapter, SessionControls } from "./runtime-adapter";

export interface ContractBackend {
  /** The backend as a caller has it now; a forgetful one is another object each time. */
  runtime(): Runtime;
  /** A reader's. */
  readonly journal: Journal;
  readonly database: Database;
  /** The owner of runs begins to shut down and takes its time. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export const UNKNOWN_IDS = ["run_unknown", "", "..", "../../health", "run_a/../b", "run_\u0000", "ses_1", "x".repeat(10_000)] as const;

export class RuntimeStory {
  constructor(readonly backend: ContractBackend) {}

  get adapter(): RuntimeAdapter {
    return this.backend.runtime().adapter;
  }

  get controls(): SessionControls {
    return this.backend.runtime().controls;
  }

  async start(message: string, more: Partial<StartRunRequest> = {}): Promise<RunStartResult> {
    return taken(await this.adapter.startRun({ message, ...more }));
  }

  async state(runId: string): Promise<RunState> {
    const state = await this.adapter.getRun(runId);
    if (state === null) throw new Error(`There is no run ${runId}.`);
    return state;
  }

  async view(runId: string): Promise<RunView> {
    const view = await this.backend.journal.readView(runId);
    if (view === null) throw new Error(`There is no run ${runId}.`);
    return view;
  }

  /** Waits until the run's status is the wanted one, and answers the state that shows it. */
  async reach(runId: string, status: RunState["status"]): Promise<RunState> {
    await soon(async () => (await this.state(runId)).status === status, `${runId} is ${status}`);
    return this.state(runId);
  }

  async ended(runId: string): Promise<RunView> {
    await soon(async () => (await this.state(runId)).terminal_state !== null, `${runId} has ended`);
    return this.view(runId);
  }

  /** An idle session, with one turn that was answered. */
  async idleSession(): Promise<string> {
    const { run_id, session_id } = await this.start("say Hello.");
    await this.ended(run_id);
    return session_id;
  }

  /** The session's run at work, once there is one that is not among those. */
  async nextRun(sessionId: string, known: readonly string[]): Promise<string> {
    let found: string | undefined;
    await soon(async () => {
      found = (await this.runIds(sessionId)).find((runId) => !known.includes(runId));
      return found !== undefined;
    }, `the next run of ${sessionId}`);
    return found ?? "";
  }

  async sessionCount(): Promise<number> {
    const { rows } = await this.backend.database.execute("SELECT COUNT(*) AS count FROM sessions");
    return Number(rows[0]?.["count"]);
  }

  /** The session's runs, oldest first. */
  async runIds(sessionId: string): Promise<readonly string[]> {
    const { runs } = await listRuns(this.backend, { sessionId, limit: 200, before: null });
    return runs.map((run) => run.run_id).reverse();
  }

  /** Everything that observing from a cursor on says, to the end of the run. */
  async observed(runId: string, cursor: string | null): Promise<{ readonly reset: string | null; readonly finished: boolean; readonly events: readonly RunEvent[] }> {
    const stream = await this.adapter.observeRun(runId, cursor, AbortSignal.timeout(15_000));
    if (stream === null) throw new Error(`There is no run ${runId}.`);
    if (stream.finished) return { reset: stream.reset, finished: true, events: [] };
    const events: RunEvent[] = [];
    for await (const chunk of stream.chunks) events.push(...eventsIn(chunk.text));
    return { reset: stream.reset, finished: false, events };
  }

  /** The whole journal of a run that ended, after a look at its laws. */
  async lawful(runId: string): Promise<readonly RunEvent[]> {
    const { events } = await this.observed(runId, null);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter((event) => event.terminal)).toHaveLength(1);
    expect(events.at(-1)?.terminal).toBe(true);
    return events;
  }
}

export function taken<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
  return outcome.value;
}

export function refusalOf(outcome: Outcome<unknown>): string {
  return outcome.ok ? "no refusal" : outcome.error.code;
}

export function eventsIn(frames: string): readonly RunEvent[] {
  return frames
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => parseEvent(JSON.parse(line.slice(6))))
    .filter((event): event is RunEvent => event !== null && isKnownEvent(event) && event.run_id !== null);
}

/** Looks often until something is so; fails after 15 s instead of waiting for ever. */
export async function soon(holds: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + 15_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`Not so within 15 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
