/**
 * The product's browser API as a patient client uses it: every answer parsed, every wait bounded.
 * A request that met a process which is gone, or starting, is sent again with the same key until it is
 * answered; so a start whose answer was lost must not start twice (contract 3).
 */
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { openedSessionSchema, pendingApprovalSchema, pendingClarifySchema, type OpenedSession } from "#protocol/session-shapes";
import { runStateSchema, type RunState } from "#protocol/run-view";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const startedSchema = z.object({ stream_id: z.string(), session_id: z.string(), turn_id: z.string(), pending_started_at: z.number(), title: z.string() });
export type Started = z.infer<typeof startedSchema>;
const runListSchema = z.object({ runs: z.array(runStateSchema), active_run_id: z.string().nullable(), next_before: z.string().nullable() });
const approvalSchema = z.object({ pending: pendingApprovalSchema.nullable(), pending_count: z.number() });
const clarifySchema = z.object({ pending: pendingClarifySchema.nullable(), pending_count: z.number() });

const PATIENCE_MS = 60_000;
const ONE_TRY_MS = 20_000;
const AGAIN_MS = 100;

export class Product {
  private keys = 0;

  constructor(
    readonly url: string,
    private readonly keyPrefix: string,
  ) {}

  /** One answer below 500, however often it takes; throws after a minute. */
  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const end = performance.now() + PATIENCE_MS;
    for (let last = ""; ; ) {
      const answer = await this.tryOnce(method, path, body).catch((error: unknown) => String(error));
      if (typeof answer !== "string" && answer.status < 500) return answer;
      last = typeof answer === "string" ? answer : JSON.stringify(answer);
      if (performance.now() > end) throw new Error(`${method} ${path} was not answered within a minute; last: ${last}`);
      await pause(AGAIN_MS);
    }
  }

  /** Exactly one request; throws when there is no answer. */
  async tryOnce(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      signal: AbortSignal.timeout(ONE_TRY_MS),
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text) };
  }

  /** Starts a turn exactly once; waits while the session is busy with another only if that is asked for. */
  async start(request: { readonly message: string; readonly session_id?: string; readonly continues?: string; readonly client_message_id?: string }): Promise<Started> {
    const answer = await this.ask("POST", "/api/chat/start", { client_message_id: this.newKey(), ...request });
    return startedSchema.parse(expectStatus(answer, 200, "start"));
  }

  newKey(): string {
    return `${this.keyPrefix}-${(this.keys += 1)}`;
  }

  cancel(runId: string): Promise<Answer> {
    return this.ask("POST", "/api/chat/cancel", { stream_id: runId });
  }

  async status(runId: string): Promise<RunState> {
    return runStateSchema.parse(expectStatus(await this.ask("GET", `/api/chat/stream/status?stream_id=${runId}`), 200, "status"));
  }

  async session(sessionId: string): Promise<OpenedSession> {
    return openedSessionSchema.parse(expectStatus(await this.ask("GET", `/api/sessions/${sessionId}?runs=200`), 200, "session"));
  }

  async runs(sessionId: string): Promise<readonly RunState[]> {
    return runListSchema.parse(expectStatus(await this.ask("GET", `/api/sessions/${sessionId}/runs?limit=200`), 200, "runs")).runs;
  }

  async pendingApproval(sessionId: string): Promise<z.infer<typeof approvalSchema>> {
    return approvalSchema.parse(expectStatus(await this.ask("GET", `/api/approval/pending?session_id=${sessionId}`), 200, "pending approval"));
  }

  async pendingClarify(sessionId: string): Promise<z.infer<typeof clarifySchema>> {
    return clarifySchema.parse(expectStatus(await this.ask("GET", `/api/clarify/pending?session_id=${sessionId}`), 200, "pending question"));
  }

  async queue(sessionId: string, message: string, mode: "queue" | "steer" | "interrupt"): Promise<void> {
    expectStatus(await this.ask("POST", "/api/queue", { session_id: sessionId, message, mode, client_message_id: this.newKey() }), 200, "queue");
  }
}

function expectStatus(answer: Answer, status: number, what: string): unknown {
  if (answer.status !== status) throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
